package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is on its way back into a queue. No claim begins until it is there, or for the time that an operation may take: it
 * would not see it and take what stands behind it; or, where its lease has ended, claim it and count a delivery that was none.
 */
final class GiveBack {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueCore core;
    private final ReentrantLock lock;
    private final Condition fewer;
    private final Runnable goOn;

    /** How many lots of messages. */
    @GuardedBy("lock") private int batches;

    /**
     * None yet.
     *
     * @param lock of the {@link WaitingConsumers}
     * @param fewer signalled when one is back
     * @param goOn run when one is back, without the lock
     */
    GiveBack(QueueCore core, ReentrantLock lock, Condition fewer, Runnable goOn) {
        this.core = core;
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

    /** Something is about to be given back, by {@link #giveBackBegun}. */
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
    void await(CompletableFuture<?> back) {
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
        JonoClock.Timer limit = core.context.clock.schedule(core.timeout.toNanos(), ends);
        back.whenComplete((done, failure) -> {
            limit.cancel();
            ends.run();
        });
    }

    /** Gives messages back. */
    void giveBack(List<HeldMessage> messages) {
        begin();
        giveBackBegun(messages);
    }

    /** Gives back what was counted by {@link #begin} under the lock under which it was found: no claim came between. */
    void giveBackBegun(List<HeldMessage> messages) {
        try {
            if (!messages.isEmpty()) {
                core.giveBack(messages);
            }
        } catch (RuntimeException | Error broken) {
            LOG.error("giving back messages of queue '{}' failed; they return after their lease", core.name, broken);
        } finally {
            end();
        }
    }
}
