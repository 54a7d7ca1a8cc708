package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.jobs.spi.RecordState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ends of jobs of batches in this process that are not counted yet. They are counted after the records are written, merged, by one call
 * at a time per batch. An end that a crash keeps from being counted is found by an audit of the batch. Thread-safe.
 */
final class BatchCounts {
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, Map<RecordState, Long>> pending = new HashMap<>();

    /** The batches of which a call is in progress or planned. */
    @GuardedBy("lock") private final Set<String> busy = new HashSet<>();

    /** How many times ends were added. */
    @GuardedBy("lock") private long additions;

    private final Condition idle = lock.newCondition();

    private volatile BiConsumer<String, Map<RecordState, Long>> counter = (batch, ends) -> {};

    BatchCounts(Executor executor) {
        this.executor = executor;
    }

    /** Sets what counts the ends of a batch. It blocks, and throws nothing. */
    void countWith(BiConsumer<String, Map<RecordState, Long>> value) {
        this.counter = value;
    }

    /**
     * Counts ends of jobs.
     *
     * @param batch the name of their batch; null for a job without one
     * @param jobs their number; negative if failed jobs run again
     */
    void add(@Nullable String batch, RecordState state, long jobs) {
        if (batch == null) {
            return;
        }
        boolean start;
        lock.lock();
        try {
            pending.computeIfAbsent(batch, name -> new EnumMap<>(RecordState.class))
                    .merge(state, jobs, Long::sum);
            additions++;
            start = busy.add(batch);
        } finally {
            lock.unlock();
        }
        if (start) {
            countLater(batch);
        }
    }

    /** Whether all ends are counted. */
    boolean isIdle() {
        lock.lock();
        try {
            return busy.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** How many times ends were added: whether some have come since an earlier call. */
    long additions() {
        lock.lock();
        try {
            return additions;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all ends are counted, at most for this time. An interrupt ends the wait. */
    void awaitIdle(Duration timeout) {
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            while (!busy.isEmpty() && nanos > 0) {
                nanos = idle.awaitNanos(nanos);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void countLater(String batch) {
        try {
            executor.execute(() -> count(batch));
        } catch (RejectedExecutionException closed) {
            removeBusy(batch); // the factory is closed: an audit in another process finds these ends
        }
    }

    private void removeBusy(String batch) {
        lock.lock();
        try {
            busy.remove(batch);
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void count(String batch) {
        Map<RecordState, Long> ends;
        lock.lock();
        try {
            ends = pending.remove(batch);
            if (ends == null) {
                busy.remove(batch);
                idle.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        counter.accept(batch, ends);
        countLater(batch);
    }
}
