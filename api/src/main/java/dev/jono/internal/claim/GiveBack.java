package dev.jono.internal.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.batch.RestoreLane;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.runtime.UnfinishedWork;
import dev.jono.spi.Due;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages back to their queue, and knows which are not back yet. No claim is made until they are back, or for the
 * time that a call may take. Otherwise a claim would not see them and take later messages; or it would claim messages whose
 * lease has ended, and count a delivery that never was. Thread-safe; shares the lock of the {@link WaitingConsumers}.
 */
public final class GiveBack {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final Lanes lanes;
    private final ReentrantLock lock;
    private final Condition fewer;
    private final Runnable goOn;

    /** How many batches of messages are not back yet. */
    @GuardedBy("lock") private int batches;

    /** The lanes back into the storage, and what the close of the factory waits for. */
    public record Lanes(SettleLane<ReleaseRequest.Item> releases, RestoreLane restores, UnfinishedWork unfinished) {}

    /**
     * Nothing to give back yet.
     *
     * @param lock that of the {@link WaitingConsumers}
     * @param fewer signalled when messages are back
     * @param goOn run, without the lock, when messages are back
     */
    GiveBack(QueueScope scope, Lanes lanes, ReentrantLock lock, Condition fewer, Runnable goOn) {
        this.scope = scope;
        this.lanes = lanes;
        this.lock = lock;
        this.fewer = fewer;
        this.goOn = goOn;
    }

    /** Whether messages are not back yet. */
    boolean any() {
        lock.lock();
        try {
            return batches > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Messages are about to be given back, by {@link #giveBegun}. */
    void begin() {
        lock.lock();
        try {
            batches++;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            batches--;
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a batch until it is back. */
    private void await(CompletableFuture<?> back) {
        if (back.isDone()) {
            return;
        }
        begin();
        AtomicBoolean over = new AtomicBoolean();
        Runnable ends = () -> {
            if (over.compareAndSet(false, true)) {
                end();
                goOn.run();
            }
        };
        JonoClock.Timer limit = scope.context().clock.schedule(scope.timeout().toNanos(), ends);
        back.whenComplete((done, failure) -> {
            limit.cancel();
            ends.run();
        });
    }

    /**
     * As {@link #give}, for messages that {@link #begin} has counted under the lock under which they were found, so that no
     * claim was made in between.
     */
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
     * Gives back messages that were claimed or taken and not handed out, to their old places and not counted as delivered.
     * Repeated until it is done, because this process has the only copy of taken messages. Claimed messages that it still
     * holds when the factory closes return after their lease.
     */
    public CompletableFuture<Void> give(List<HeldMessage> messages) {
        return give(messages, null);
    }

    /** As {@link #give(List)}, but claimed messages are due at this time only; null for their old places. */
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
        await(back);
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
     * Puts taken messages back. Repeated until it is done; messages that are back are not put back again, because they may
     * be taken by now.
     */
    public CompletableFuture<Void> restore(List<StoredMessage> messages) {
        if (messages.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        AtomicReference<List<StoredMessage>> left = new AtomicReference<>(messages);
        return lanes.unfinished().persistently("restore", () -> {
            RestoreLane.Restore call = new RestoreLane.Restore(Objects.requireNonNull(left.get()));
            lanes.restores().submitInternal(call);
            return call.done.whenComplete((done, failure) -> left.set(call.left));
        });
    }
}
