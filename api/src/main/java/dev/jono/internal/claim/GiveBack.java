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
 * What is on its way back into a queue. No claim begins until it is there, or for the time that an operation may take: it
 * would not see it and take what stands behind it; or, where its lease has ended, claim it and count a delivery that was none.
 */
public final class GiveBack {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final Lanes lanes;
    private final ReentrantLock lock;
    private final Condition fewer;
    private final Runnable goOn;

    /** How many lots of messages. */
    @GuardedBy("lock") private int batches;

    /** The ways back into the storage, and what the close of the factory waits for. */
    public record Lanes(SettleLane<ReleaseRequest.Item> releases, RestoreLane restores, UnfinishedWork unfinished) {}

    /**
     * None yet.
     *
     * @param lock of the {@link WaitingConsumers}
     * @param fewer signalled when one is back
     * @param goOn run when one is back, without the lock
     */
    GiveBack(QueueScope scope, Lanes lanes, ReentrantLock lock, Condition fewer, Runnable goOn) {
        this.scope = scope;
        this.lanes = lanes;
        this.lock = lock;
        this.fewer = fewer;
        this.goOn = goOn;
    }

    /** Whether anything is on its way. */
    boolean any() {
        lock.lock();
        try {
            return batches > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Something is about to be given back, by {@link #giveBegun}. */
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

    /** Counts what goes back until it is there. */
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

    /** As {@link #give}, counted by {@link #begin} under the lock under which they were found: no claim came between. */
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
     * Gives back, uncounted and to its old place, what was claimed or taken and not handed out. Repeated until it is
     * done: of what was taken this process has the only copy. What is still held when the factory closes returns after
     * its lease. Until it is back this process claims no more of the queue.
     */
    public CompletableFuture<Void> give(List<HeldMessage> messages) {
        return give(messages, null);
    }

    /** As {@link #give(List)}, but what was claimed stays away until then; null for its old place. */
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

    /** Puts back what was taken, repeated until it is done: what is back may be taken, and must not come a second time. */
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
