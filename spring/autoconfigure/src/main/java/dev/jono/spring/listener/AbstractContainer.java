package dev.jono.spring.listener;

import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A container that makes a new worker at each start. Subclasses say how.
 *
 * @param <W> the type of the worker
 */
public abstract class AbstractContainer<W> implements ListenerContainer {
    private final String id;
    private final int concurrency;
    private final boolean autoStartup;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock. */
    private volatile @Nullable W worker;

    /** A container, for subclasses. */
    protected AbstractContainer(String id, int concurrency, boolean autoStartup) {
        this.id = id;
        this.concurrency = concurrency;
        this.autoStartup = autoStartup;
    }

    /** Starts a worker. */
    protected abstract W startWorker();

    /** Stops a worker, as {@link dev.jono.Worker#stop} does. */
    protected abstract boolean stopWorker(W running, Duration timeout);

    /** The status of a worker. */
    protected abstract WorkerStatus statusOf(W running);

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final int concurrency() {
        return concurrency;
    }

    @Override
    public final boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public final void start() {
        lock.lock();
        try {
            if (worker == null) {
                worker = startWorker();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final boolean stop(Duration timeout) {
        W running;
        lock.lock();
        try {
            running = worker;
            worker = null;
        } finally {
            lock.unlock();
        }
        return running == null || stopWorker(running, timeout);
    }

    @Override
    public final boolean isRunning() {
        return worker != null;
    }

    @Override
    public final Optional<WorkerStatus> status() {
        W running = worker;
        return running == null ? Optional.empty() : Optional.of(statusOf(running));
    }
}
