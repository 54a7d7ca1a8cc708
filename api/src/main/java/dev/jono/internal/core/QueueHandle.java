package dev.jono.internal.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import dev.jono.internal.batch.BatchedCall;
import dev.jono.internal.batch.Lane;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.concurrent.UserFutures;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One {@link dev.jono.MessageQueue} object, without its payload type: its settings and its pending calls. Called on the threads
 * of users, workers and the storage. Thread-safe.
 */
public final class QueueHandle {
    public final QueueCore core;
    public final EngineContext context;
    public final QueueSettings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private long pendingPushes;

    /** The number of messages of this object that workers hold. */
    @GuardedBy("lock") private long held;

    /** Run at the end of a drain: each gives back the messages that a worker has read ahead from this object. */
    public final Set<Runnable> readAheads = ConcurrentHashMap.newKeySet();

    private volatile boolean drained;

    public QueueHandle(QueueCore core, QueueSettings settings) {
        this.core = core;
        this.context = core.context;
        this.settings = settings;
    }

    public String name() {
        return core.name;
    }

    /** Counts a push that begins. */
    public void beginPush() {
        context.requireOpen(core.name);
        lock.lock();
        try {
            requireNotDrained();
            pendingPushes++;
        } finally {
            lock.unlock();
        }
    }

    public void endPush() {
        lock.lock();
        try {
            pendingPushes--;
            if (drained && pendingPushes == 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean drained() {
        return drained;
    }

    /** Workers hold this many more messages of this object; fewer where negative. */
    public void addHeld(int change) {
        lock.lock();
        try {
            held += change;
            if (drained && held == 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public void requireUsable() {
        context.requireOpen(core.name);
        requireNotDrained();
    }

    private void requireNotDrained() {
        if (drained) {
            throw new QueueClosedException(
                    "queue '" + core.name + "' was drained: this object takes no more calls", core.name, null, null);
        }
    }

    /** Ends the pops and reserves of this object that wait; returns how many. */
    public int cancelWaits() {
        return core.consumers.cancel(this);
    }

    /**
     * Refuses new calls, waits for pending pushes and for the messages that workers hold, gives back the messages that were
     * read ahead, and ends all waits.
     *
     * @return whether no push was pending and no message was held at the end of the wait
     */
    public boolean drain(Duration timeout) {
        long deadline = context.clock.nanos() + timeout.toNanos();
        boolean quiet;
        lock.lock();
        try {
            drained = true;
            UninterruptibleWait.until(changed, context.clock, deadline, this::isDrained);
            quiet = pendingPushes == 0 && held == 0;
        } finally {
            lock.unlock();
        }
        readAheads.forEach(Runnable::run);
        cancelWaits();
        return quiet;
    }

    /** Whether nothing is to be waited for. While the queue is paused, the messages that workers hold stay held. */
    private boolean isDrained() {
        lock.lock();
        try {
            return pendingPushes == 0 && (held == 0 || core.consumers.watch().paused());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a call of a lane. An interrupt does not end the wait. At the time limit, a call that was not sent is withdrawn.
     */
    public <C extends BatchedCall, V> V await(String step, Lane<C, ?> lane, C call, CompletableFuture<V> future) {
        return await(future, () -> late(step, lane.withdraw(call)));
    }

    /** Waits for work that is not a single call of a lane. */
    public <V> V await(String step, CompletableFuture<V> future) {
        return await(future, () -> late(step, false));
    }

    /** Waits for a call that only reads: if it is late, nothing has been changed. */
    public <V> V read(String step, CompletableFuture<V> future) {
        return await(
                future,
                () -> new StorageException(
                        step + " on queue '" + core.name + "' was not answered in "
                                + Durations.format(settings.operationTimeout()),
                        core.name,
                        null,
                        null));
    }

    private <V> V await(CompletableFuture<V> future, Supplier<RuntimeException> late) {
        context.spin.begin(future);
        try {
            return UninterruptibleWait.answer(future, context.clock, settings.operationTimeout(), late);
        } finally {
            context.spin.end();
        }
    }

    /** The exception for a call that was not answered within the operation timeout. */
    public RuntimeException late(String step, boolean unsent) {
        String what = step + " on queue '" + core.name + "' was not answered in "
                + Durations.format(settings.operationTimeout());
        return unsent
                ? new StorageException(what + "; it was not sent, and is not done", core.name, null, null)
                : new OutcomeUnknownException(what + "; the storage may still do it", core.name, null, null);
    }

    /**
     * A future for the application, whose dependents never run on threads of the engine. If the start throws an exception of
     * Jono, the future fails with it.
     */
    public <V> CompletableFuture<V> forUser(Supplier<CompletableFuture<V>> start) {
        CompletableFuture<V> internal;
        try {
            internal = start.get();
        } catch (JonoException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<V> future = new CompletableFuture<>();
        internal.whenComplete((value, failure) -> context.callbacks.run(() -> {
            if (failure == null) {
                UserFutures.complete(future, value);
            } else {
                UserFutures.fail(future, Completions.unwrap(failure));
            }
        }));
        return future;
    }
}
