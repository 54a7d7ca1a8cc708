package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock of one factory. Wraps the configured clock. Has a thread of its own, until it is closed, for timers that the
 * configured clock refuses and for real time. {@link #schedule} does not throw when the configured clock refuses a timer, for
 * lack of a thread or of memory: the timer is set as soon as the clock accepts it. So a caller that has changed its state before
 * it sets a timer need not undo the change. Called on any thread. Thread-safe.
 */
public final class EngineClock implements JonoClock, AutoCloseable {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SystemClock real = SystemClock.withThread();
    private final JonoClock configured;

    /** Wraps the configured clock, and starts the thread. */
    public EngineClock(JonoClock configured) {
        this.configured = configured.equals(SystemClock.SHARED) ? real : configured;
    }

    /** Whether this is the host's clock, and not one that a test moves. */
    static boolean isReal(JonoClock clock) {
        return clock instanceof EngineClock engine
                ? engine.configured.equals(engine.real)
                : clock instanceof SystemClock;
    }

    /** The host's clock, with the thread of this factory: for times that stay real if a test moves the configured clock. */
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
            LOG.warn("a timer could not be set and will be retried: {}", refused.toString());
            return new RefusedTimer(once, configured.nanos() + delayNanos);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("the task of a timer failed", failure);
        }
    }

    /** Ends the thread as soon as no timer is set. */
    @Override
    public void close() {
        real.close();
    }

    /** A timer that the configured clock has refused: setting it is retried on the thread of this clock. */
    private final class RefusedTimer implements Timer {
        private final OnceTask task;
        private final long dueNanos;
        private long retryDelayNanos = FIRST_DELAY_NANOS;
        private volatile @Nullable Timer set;

        RefusedTimer(OnceTask task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
            set = real.schedule(retryDelayNanos, this::tryAgain);
        }

        /**
         * Sets the timer, or plans the next attempt. The constructor can overwrite the timer that is set here by the earlier one.
         * That is harmless: a cancelled task does nothing, whichever timer fires.
         */
        private void tryAgain() {
            try {
                set = configured.schedule(dueNanos - configured.nanos(), task);
            } catch (RuntimeException | Error refused) {
                LOG.debug("a timer could not be set", refused);
                retryDelayNanos = Math.min(2 * retryDelayNanos, LONGEST_DELAY_NANOS);
                set = real.schedule(retryDelayNanos, this::tryAgain);
            }
        }

        @Override
        public void cancel() {
            task.takeOver(); // whichever timer is set now, its task does nothing
            Timer last = set;
            if (last != null) {
                last.cancel();
            }
        }
    }
}
