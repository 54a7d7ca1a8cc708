package dev.jono.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.QueueClosedException;
import dev.jono.Worker;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.log.Log;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The workers of one factory that have not stopped. Called by workers when they start and end, and by the close of the
 * factory. No worker is called with the lock held. Thread-safe.
 */
public final class Workers {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Set<WorkerImpl> started = new LinkedHashSet<>();

    @GuardedBy("lock") private boolean closed;

    /**
     * Adds a worker that starts.
     *
     * @throws QueueClosedException if the factory closes
     */
    void add(WorkerImpl worker) {
        lock.lock();
        try {
            if (closed) {
                throw new QueueClosedException(
                        "worker '" + worker.name() + "' cannot start: its factory is closed", "*", null, null);
            }
            started.add(worker);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a worker that has stopped. */
    void remove(WorkerImpl worker) {
        lock.lock();
        try {
            started.remove(worker);
        } finally {
            lock.unlock();
        }
    }

    private List<WorkerImpl> all() {
        lock.lock();
        try {
            return List.copyOf(started);
        } finally {
            lock.unlock();
        }
    }

    /** The workers that have started and not stopped, in this order. */
    public List<Worker> running() {
        return List.copyOf(all());
    }

    /** The ids of the messages of a queue on which handlers of this factory work, and that are not settled. */
    Set<String> handledIds(WaitingConsumers queue) {
        Set<String> ids = new HashSet<>();
        all().forEach(worker -> worker.addHandled(queue, ids));
        return ids;
    }

    /**
     * Stops all workers at the same time; from now on none can start.
     *
     * @param timeout for the handlers that run, and once more for the settlements and give-backs
     */
    public void close(JonoClock clock, Duration timeout) {
        List<WorkerImpl> open;
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(started);
        } finally {
            lock.unlock();
        }
        open.forEach(WorkerImpl::stopClaiming);
        long handlersUntil = clock.nanos() + timeout.toNanos();
        for (WorkerImpl worker : open) {
            if (!worker.endHandlers(handlersUntil)) {
                LOG.warn(
                        "the factory is closed while handlers of worker '{}' run: the handlers are interrupted, and their"
                                + " messages are given back",
                        worker.name());
            }
        }
        long storedUntil = clock.nanos() + timeout.toNanos();
        open.forEach(worker -> worker.awaitStored(storedUntil));
    }
}
