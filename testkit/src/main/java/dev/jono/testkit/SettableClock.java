package dev.jono.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it. Thread-safe.
 *
 * <p>{@link #advance} moves wall and monotonic time together, and runs the tasks that become due, in order and each at
 * its own time, on the advancing thread. {@link #setWall} moves the wall time alone, as an operator or NTP does on a
 * host. {@link #pendingTimers} counts the tasks that wait on this clock.
 */
public final class SettableClock implements JonoClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock moving = new ReentrantLock();

    @GuardedBy("lock") private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong((Task t) -> t.dueNanos).thenComparingLong(t -> t.number));

    /** Starts below zero, because the origin is arbitrary, and code that assumes otherwise should fail. */
    @GuardedBy("lock") private long nanos = -Duration.ofHours(1).toNanos();

    /** Wall time minus monotonic time. */
    @GuardedBy("lock") private long wallMinusNanos;

    @GuardedBy("lock") private long numbers;

    /** A clock whose wall time is the beginning of 2026. */
    public SettableClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** A clock with this wall time. */
    public SettableClock(Instant wall) {
        wallMinusNanos = wall.toEpochMilli() * NANOS_PER_MILLI - nanos;
    }

    @Override
    public long wallMillis() {
        lock.lock();
        try {
            return Math.floorDiv(nanos + wallMinusNanos, NANOS_PER_MILLI);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    /** The wall time. */
    public Instant wall() {
        return Instant.ofEpochMilli(wallMillis());
    }

    /** Sets the wall time, forward or back. Monotonic time does not move, and no scheduled task runs. */
    public void setWall(Instant wall) {
        lock.lock();
        try {
            wallMinusNanos = wall.toEpochMilli() * NANOS_PER_MILLI - nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (delayNanos <= 0) {
            ImmediateTask soon = new ImmediateTask(task);
            Thread thread = new Thread(soon, "jono-clock");
            thread.setDaemon(true);
            thread.start();
            return soon::cancel;
        }
        Task scheduled;
        lock.lock();
        try {
            scheduled = new Task(nanos + delayNanos, numbers++, task);
            tasks.add(scheduled);
        } finally {
            lock.unlock();
        }
        return () -> cancel(scheduled);
    }

    private void cancel(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    /** The number of tasks that wait for their time. */
    public int pendingTimers() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves time forward, and runs the tasks that become due on this thread.
     *
     * @throws IllegalArgumentException if the duration is negative
     * @throws RuntimeException the exception of the first task that failed, after all have run
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("monotonic time cannot go back: " + duration);
        }
        RuntimeException first = null;
        moving.lock();
        try {
            long target = nanos() + duration.toNanos();
            for (Runnable task = next(target); task != null; task = next(target)) {
                try {
                    task.run();
                } catch (RuntimeException failure) {
                    first = first == null ? failure : first;
                }
            }
        } finally {
            moving.unlock();
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Returns the next task that is due by the end, and moves time to it. If there is none, moves time to the end and
     * returns null.
     */
    private @Nullable Runnable next(long targetNanos) {
        lock.lock();
        try {
            Task head = tasks.peek();
            if (head == null || head.dueNanos > targetNanos) {
                nanos = Math.max(nanos, targetNanos);
                return null;
            }
            tasks.remove();
            nanos = Math.max(nanos, head.dueNanos);
            return head.work;
        } finally {
            lock.unlock();
        }
    }

    private static final class Task {
        private final long dueNanos;
        private final long number;
        private final Runnable work;

        Task(long dueNanos, long number, Runnable work) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.work = work;
        }
    }

    /** A task without a delay, which runs without an advance. */
    private static final class ImmediateTask implements Runnable {
        private final AtomicReference<@Nullable Runnable> task;

        ImmediateTask(Runnable task) {
            this.task = new AtomicReference<>(task);
        }

        @Override
        public void run() {
            Runnable work = task.getAndSet(null);
            if (work != null) {
                work.run();
            }
        }

        void cancel() {
            task.set(null);
        }
    }
}
