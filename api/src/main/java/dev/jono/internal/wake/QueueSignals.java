package dev.jono.internal.wake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives the signals of one queue. An insert of this process wakes the waiters of this process at once, and those of
 * other processes through the signaller. One publish is in flight at a time; all inserts during it are announced by the next
 * one. Called on any thread; the lock is never held while the signaller is called. Thread-safe.
 */
public final class QueueSignals {
    /**
     * The due time, in milliseconds, of messages that are due now: any time in the past. It is not 0, because 0 has another
     * meaning for processes with keuss (see docs/keuss.md).
     */
    public static final long DUE_NOW = 1;

    private static final Log LOG = Log.named("dev.jono.signal");

    private final QueueScope scope;
    private final Signaller signaller;
    private final boolean carried;
    private final LongConsumer local;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean publishing;

    /** The number of the last publish. An earlier one, which was not answered in time, can still complete. */
    @GuardedBy("lock") private long lastNumber;

    @GuardedBy("lock") private long publishingSinceNanos;

    /** The earliest due time that is still to be published; {@code Long.MAX_VALUE} for none. */
    @GuardedBy("lock") private long unpublishedMillis = Long.MAX_VALUE;

    /**
     * The signals of one queue.
     *
     * @param carried whether the backend publishes the signals of inserts, in the same storage call
     * @param local receives the due time of each insert of this process, by the storage's clock
     */
    public QueueSignals(QueueScope scope, Signaller signaller, boolean carried, LongConsumer local) {
        this.scope = scope;
        this.local = local;
        this.signaller = signaller;
        this.carried = carried;
    }

    /** Whether the backend publishes the signals of inserts, in the same storage call. */
    public boolean carried() {
        return carried;
    }

    /** Messages were inserted by this process, due at this time by the storage's clock. */
    public void inserted(long dueMillis) {
        local.accept(dueMillis);
        if (!carried) {
            publishInserted(dueMillis);
        }
    }

    /** As {@link #inserted}, for messages that an edit or a settlement made due; no backend publishes that. */
    public void becameDue(long dueMillis) {
        local.accept(dueMillis);
        publishInserted(dueMillis);
    }

    /** This process has paused or resumed the queue: publishes the change. */
    public void paused(boolean paused) {
        publish(paused ? Signal.paused(scope.name()) : Signal.resumed(scope.name()));
    }

    Signaller.@Nullable Subscription subscribe(Signaller.Listener listener) {
        try {
            return signaller.subscribe(scope.name(), listener);
        } catch (RuntimeException | Error failure) {
            LOG.outage(
                    scope.context().outages,
                    failure,
                    "cannot subscribe to signals of queue '{}'; messages are found at the poll interval",
                    scope.name());
            return null;
        }
    }

    public void unsubscribe(Signaller.@Nullable Subscription subscription) {
        if (subscription != null) {
            try {
                subscription.close();
            } catch (RuntimeException | Error failure) {
                LOG.outage(
                        scope.context().outages,
                        failure,
                        "the subscription to signals of queue '{}' did not end cleanly",
                        scope.name());
            }
        }
    }

    private void publishInserted(long dueMillis) {
        long due = dueMillis;
        while (true) {
            long number;
            lock.lock();
            try {
                unpublishedMillis = Math.min(unpublishedMillis, due);
                long now = scope.context().clock.nanos();
                // A publish that is not answered in time is ignored; otherwise the queue would send no signal any more.
                if (publishing && now - publishingSinceNanos < scope.timeout().toNanos()) {
                    return;
                }
                publishing = true;
                publishingSinceNanos = now;
                number = ++lastNumber;
                due = unpublishedMillis;
                unpublishedMillis = Long.MAX_VALUE;
            } finally {
                lock.unlock();
            }
            CompletionStage<Void> sent = publish(Signal.inserted(scope.name(), due));
            if (sent != null && !sent.toCompletableFuture().isDone()) {
                sent.whenComplete((done, failure) -> {
                    long next = published(number);
                    if (next != Long.MAX_VALUE) {
                        publishInserted(next);
                    }
                });
                return;
            }
            due = published(number);
            if (due == Long.MAX_VALUE) {
                return;
            }
        }
    }

    /** A publish has ended; returns the earliest due time that came during it, {@code Long.MAX_VALUE} for none. */
    private long published(long number) {
        lock.lock();
        try {
            if (number != lastNumber) {
                return Long.MAX_VALUE;
            }
            publishing = false;
            long next = unpublishedMillis;
            unpublishedMillis = Long.MAX_VALUE;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable CompletionStage<Void> publish(Signal signal) {
        try {
            return signaller.publish(signal).whenComplete((sent, failure) -> {
                if (failure != null && !scope.context().closed()) {
                    logUnsent(failure);
                }
            });
        } catch (RuntimeException | Error failure) {
            logUnsent(failure);
            return null;
        }
    }

    private void logUnsent(Throwable failure) {
        LOG.outage(
                scope.context().outages,
                failure,
                "a signal of queue '{}' could not be sent; other processes find the change at their poll interval",
                scope.name());
    }
}
