package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An executor that refuses no task until its threads are shut down. If no thread can be started for a task, the task is
 * submitted again, after growing delays, until there is one. So a caller that has changed its state before it submits a task need
 * not undo the change. Called on any thread. Thread-safe.
 */
public final class RetryingExecutor implements Executor {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ExecutorService threads;
    private final JonoClock real;

    /** Whether the last task was refused: each shortage is logged once. */
    private final AtomicBoolean shortage = new AtomicBoolean();

    /**
     * An executor over these threads.
     *
     * @param real the clock for the delays between attempts; it has a thread of its own
     */
    public RetryingExecutor(ExecutorService threads, JonoClock real) {
        this.threads = threads;
        this.real = real;
    }

    @Override
    public void execute(Runnable task) {
        OnceTask once = new OnceTask(task);
        if (!accepted(once)) {
            later(once, FIRST_DELAY_NANOS);
        }
    }

    private boolean accepted(OnceTask task) {
        try {
            threads.execute(task);
            if (shortage.get() && shortage.compareAndSet(true, false)) {
                LOG.info("there are threads for storage calls again");
            }
            return true;
        } catch (RuntimeException | Error refused) {
            if (threads.isShutdown()) {
                throw new RejectedExecutionException("the factory is closed", refused);
            }
            if (shortage.compareAndSet(false, true)) {
                LOG.warn("no thread for storage calls; they wait until there is one: {}", refused.toString());
            }
            return false;
        }
    }

    private void later(OnceTask task, long retryDelayNanos) {
        real.schedule(retryDelayNanos, () -> {
            try {
                if (!accepted(task)) {
                    later(task, Math.min(2 * retryDelayNanos, LONGEST_DELAY_NANOS));
                }
            } catch (RejectedExecutionException closed) {
                task.run(); // fails at once, because the connection is closed; so the caller does not wait any longer
            }
        });
    }
}
