package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An executor that refuses nothing until its threads are shut down. A task for which no thread can be started waits, and is
 * submitted again until there is one. So no step of the engine is left half done; the time limit of the call decides how
 * long it waits. Thread-safe.
 */
public final class RetryingExecutor implements Executor {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ExecutorService threads;
    private final JonoClock real;

    /** Whether the last task was refused: each shortage is logged once. */
    private final AtomicBoolean shortage = new AtomicBoolean();

    /**
     * Over these threads.
     *
     * @param real times the pauses between attempts, and has a thread for them
     */
    public RetryingExecutor(ExecutorService threads, JonoClock real) {
        this.threads = threads;
        this.real = real;
    }

    @Override
    public void execute(Runnable task) {
        OnceTask once = new OnceTask(task);
        if (!accepted(once)) {
            later(once, FIRST_PAUSE_NANOS);
        }
    }

    private boolean accepted(OnceTask task) {
        try {
            threads.execute(task);
            if (shortage.get() && shortage.compareAndSet(true, false)) {
                LOG.info("there are threads for calls of the storage again");
            }
            return true;
        } catch (RuntimeException | Error refused) {
            if (threads.isShutdown()) {
                throw new RejectedExecutionException("the factory is closed", refused);
            }
            if (shortage.compareAndSet(false, true)) {
                LOG.warn("no thread for calls of the storage; they wait until there is one: {}", refused.toString());
            }
            return false;
        }
    }

    private void later(OnceTask task, long pauseNanos) {
        real.schedule(pauseNanos, () -> {
            try {
                if (!accepted(task)) {
                    later(task, Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS));
                }
            } catch (RejectedExecutionException closed) {
                task.run(); // it fails at once, because its connection is closed, and so its caller stops waiting
            }
        });
    }
}
