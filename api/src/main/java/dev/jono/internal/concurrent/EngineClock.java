package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock of one factory: the configured clock, and a thread that is kept while the factory is open. {@link #schedule}
 * does not throw: a timer that the configured clock refuses, for lack of a thread or of memory, is set as soon as the clock
 * accepts it. So no step of the engine is left half done. Thread-safe.
 */
public final class EngineClock implements JonoClock, AutoCloseable {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SystemClock real = SystemClock.withThread();
    private final JonoClock configured;

    /** Over the configured clock; starts the thread. */
    public EngineClock(JonoClock configured) {
        this.configured = configured.equals(SystemClock.SHARED) ? real : configured;
    }

    /** Whether time passes on this clock as it does for the threads of this process; a test's clock may stand still. */
    static boolean isReal(JonoClock clock) {
        return clock instanceof EngineClock engine
                ? engine.configured.equals(engine.real)
                : clock instanceof SystemClock;
    }

    /**
     * The host's time, with the thread of this factory: for what is measured in real time even where a test moves the
     * clock.
     */
    public JonoClock real() {
        return real;
    }

    @Override
    public long wallMillis() {
        return configured.wallMillis();
    }

    @Override
    public long nanos() {
        return configured.nanos();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        OnceTask once = new OnceTask(() -> guarded(task));
        try {
            return configured.schedule(delayNanos, once);
        } catch (RuntimeException | Error refused) {
            LOG.warn("a timer could not be set; tried again until it is: {}", refused.toString());
            return new RefusedTimer(once, configured.nanos() + delayNanos);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("a timer's task failed", failure);
        }
    }

    /** Ends the thread as soon as no timer is set. */
    @Override
    public void close() {
        real.close();
    }

    /** A timer that is still to be set. */
    private final class RefusedTimer implements Timer {
        private final OnceTask task;
        private final long dueNanos;
        private long pauseNanos = FIRST_PAUSE_NANOS;
        private volatile @Nullable Timer set;

        RefusedTimer(OnceTask task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
            set = real.schedule(pauseNanos, this::tryAgain);
        }

        private void tryAgain() {
            try {
                set = configured.schedule(dueNanos - configured.nanos(), task);
            } catch (RuntimeException | Error refused) {
                LOG.debug("a timer could not be set", refused);
                pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
                set = real.schedule(pauseNanos, this::tryAgain);
            }
        }

        @Override
        public void cancel() {
            task.claim(); // whichever timer is set by now, it finds nothing to do
            Timer last = set;
            if (last != null) {
                last.cancel();
            }
        }
    }
}
