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
 * <p>{@link #advance} moves wall and monotonic time together and runs what was scheduled, each task at its own time, in
 * order, on the advancing thread. {@link #setWall} moves the wall alone, as whoever keeps a host's time does. Someone who
 * sleeps on this clock is seen in {@link #pendingTimers}.
 */
public final class SettableClock implements JonoClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock moving = new ReentrantLock();

    @GuardedBy("lock") private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong((Task t) -> t.dueNanos).thenComparingLong(t -> t.number));

    /** Below zero at the start: the origin is arbitrary, and who assumes otherwise shall notice. */
    @GuardedBy("lock") private long nanos = -Duration.ofHours(1).toNanos();

    /** Wall time minus monotonic time. */
    @GuardedBy("lock") private long wallMinusNanos;

    @GuardedBy("lock") private long numbers;

    /** A clock whose wall shows the beginning of 2026. */
    public SettableClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** A clock whose wall shows this. */
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

    /** What the wall shows. */
    public Instant wall() {
        return Instant.ofEpochMilli(wallMillis());
    }

    /** Sets the wall, forth or back; monotonic time stands, and nothing that was scheduled runs for it. */
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
            Soon soon = new Soon(task);
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

    /** How many tasks wait for their time. */
    public int pendingTimers() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves time on, and runs on this thread what comes due on the way.
     *
     * @throws IllegalArgumentException if the duration is negative
     * @throws RuntimeException what the first of the tasks that failed threw, after all have run
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("monotonic time does not go back: " + duration);
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

    /** The next task that is due by then, with time moved to it; null, with time moved to the end, when there is none. */
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

    /** A task that does not wait for time to move. */
    private static final class Soon implements Runnable {
        private final AtomicReference<@Nullable Runnable> task;

        Soon(Runnable task) {
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
