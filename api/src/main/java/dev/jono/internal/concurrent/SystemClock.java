package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The host's clock, and the only class that reads it. Its timers run on one thread. Called on any thread. Thread-safe. */
public final class SystemClock implements JonoClock, AutoCloseable {
    /** The clock of code that belongs to no factory. Its thread ends after ten seconds without a timer. */
    public static final SystemClock SHARED = new SystemClock("jono-shared-clock");

    private final ScheduledThreadPoolExecutor timers;

    private SystemClock(String threadName) {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(10, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true);
    }

    /**
     * A clock whose thread runs until {@link #close}, so that a timer never depends on the start of a thread.
     *
     * @throws OutOfMemoryError if the thread cannot be started
     */
    static SystemClock withThread() {
        SystemClock clock = new SystemClock("jono-clock");
        clock.timers.allowCoreThreadTimeOut(false);
        clock.timers.prestartCoreThread();
        return clock;
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        try {
            Future<?> future = timers.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            // A call that is in flight when the factory closes still has a time limit.
            return SHARED.schedule(delayNanos, task);
        }
    }

    /** Ends the thread as soon as no timer is set. */
    @Override
    public void close() {
        timers.shutdown();
    }
}
