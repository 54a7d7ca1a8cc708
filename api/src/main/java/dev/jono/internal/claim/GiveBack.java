package dev.jono.internal.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.batch.RestoreLane;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.concurrent.OnceTask;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.runtime.UnfinishedWork;
import dev.jono.spi.Due;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages back to their queue, and counts the give-backs in flight. No claim is made while there are any, for at most
 * the time limit of a call. Otherwise a claim would pass over these messages and bring later ones; or it would claim them when
 * their lease has ended, and count a delivery that did not take place.
 *
 * <p>Called by claims, receivers and workers, on any thread. It shares the lock of the {@link WaitingConsumers}, which is not
 * held while the storage is called. Thread-safe.
 */
public final class GiveBack {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final Lanes lanes;
    private final ReentrantLock lock;
    private final Condition landed;
    private final Runnable whenBack;

    /** How many give-backs are in flight, or about to be sent. */
    @GuardedBy("lock") private int inFlight;

    /** The lanes that give messages back, and the work that the close of the factory waits for. */
    public record Lanes(SettleLane<ReleaseRequest.Item> releases, RestoreLane restores, UnfinishedWork unfinished) {}

    /**
     * The give-backs of one queue.
     *
     * @param lock the lock of the {@link WaitingConsumers}
     * @param landed signalled when a give-back has ended
     * @param whenBack run, without the lock, when a give-back has ended
     */
    GiveBack(QueueScope scope, Lanes lanes, ReentrantLock lock, Condition landed, Runnable whenBack) {
        this.scope = scope;
        this.lanes = lanes;
        this.lock = lock;
        this.landed = landed;
        this.whenBack = whenBack;
    }

    /** Whether a give-back is in flight, or about to be sent. */
    boolean any() {
        lock.lock();
        try {
            return inFlight > 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a give-back that is about to be sent, so that no claim is made before it. {@link #giveBegun} must follow, also if
     * there turns out to be no message.
     */
    void begin() {
        lock.lock();
        try {
            inFlight++;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            inFlight--;
            landed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a give-back until it has ended, or until its time limit. */
    private void countUntilDone(CompletableFuture<?> back) {
        if (back.isDone()) {
            return;
        }
        begin();
        OnceTask endOnce = new OnceTask(() -> {
            end();
            whenBack.run();
        });
        JonoClock.Timer limit = scope.context().clock.schedule(scope.timeout().toNanos(), endOnce);
        back.whenComplete((done, failure) -> {
            limit.cancel();
            endOnce.run();
        });
    }

    /** As {@link #give}, after {@link #begin}, which was called with the lock held under which the messages were found. */
    void giveBegun(List<HeldMessage> messages) {
        try {
            if (!messages.isEmpty()) {
                give(messages);
            }
        } catch (RuntimeException | Error broken) {
            LOG.error("giving back messages of queue '{}' failed; they return after their lease", scope.name(), broken);
        } finally {
            end();
        }
    }

    /**
     * Gives back messages that were claimed or taken and not handed out, to their old places, uncounted. Repeated until it is
     * done, because this process has the only copy of taken messages. Claimed messages that are not given back when the factory
     * is closed return after their lease.
     */
    public CompletableFuture<Void> give(List<HeldMessage> messages) {
        return give(messages, null);
    }

    /** As {@link #give(List)}, but claimed messages become due at this time; null for their old places. */
    public CompletableFuture<Void> give(List<HeldMessage> messages, @Nullable Due due) {
        List<ReleaseRequest.Item> held = messages.stream()
                .filter(m -> m.terms.reserves())
                .map(m -> ReleaseRequest.Item.of(m.receipt(), due, false))
                .toList();
        List<StoredMessage> taken = messages.stream()
                .filter(m -> !m.terms.reserves())
                .map(m -> m.message)
                .toList();
        CompletableFuture<Void> back = CompletableFuture.allOf(release(held), restore(taken));
        countUntilDone(back);
        return back;
    }

    private CompletableFuture<Void> release(List<ReleaseRequest.Item> held) {
        if (held.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return lanes.unfinished().persistently("release", () -> {
            SettleLane.Settle<ReleaseRequest.Item> call = new SettleLane.Settle<>(held);
            lanes.releases().submitInternal(call);
            return call.done;
        });
    }

    /**
     * Puts taken messages back. Repeated until it is done. A repetition leaves out the messages that were put back before,
     * because another consumer has perhaps taken them since.
     */
    public CompletableFuture<Void> restore(List<StoredMessage> messages) {
        if (messages.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        AtomicReference<List<StoredMessage>> unrestored = new AtomicReference<>(messages);
        return lanes.unfinished().persistently("restore", () -> {
            RestoreLane.Restore call = new RestoreLane.Restore(Objects.requireNonNull(unrestored.get()));
            lanes.restores().submitInternal(call);
            return call.done.whenComplete((done, failure) -> unrestored.set(call.unrestored));
        });
    }
}
