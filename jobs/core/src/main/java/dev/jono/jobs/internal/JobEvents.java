package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.QueueClosedException;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobEventListener;
import dev.jono.jobs.JobListening;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.spi.JobStore;
import dev.jono.spi.OutageLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events of one factory, and its listeners. An event goes to the listeners of this factory at once, and to those of other processes
 * by the log in the job store. Raising an event never blocks. Thread-safe.
 */
final class JobEvents {
    private static final Duration MAX_CLOSE = Duration.ofSeconds(2);

    private final JonoClock clock;
    private final Executor executor;
    private final OutageLog outages;
    private final Duration timeout;
    private final EventWriter writer;
    private final EventReader reader;
    private final EndSignals ends = new EndSignals();
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    /** Held while listeners are added and removed. */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean closed;

    /**
     * The events on a store.
     *
     * @param timeout the operation timeout of the factory
     */
    JobEvents(JobStore store, JonoClock clock, Executor executor, OutageLog outages, Duration timeout) {
        String id = UUID.randomUUID().toString();
        this.clock = clock;
        this.executor = executor;
        this.outages = outages;
        this.timeout = timeout;
        this.writer = new EventWriter(id, store, clock, executor, outages);
        this.reader = new EventReader(id, store, clock, executor, outages, event -> deliver(event, false));
    }

    /** The callers that wait for ends of jobs. */
    EndSignals ends() {
        return ends;
    }

    /** Raises an event without progress. */
    void raise(JobEvent.Kind kind, JobId job, int attempt, @Nullable String reason) {
        raise(kind, job, attempt, null, reason);
    }

    /** Raises an event. */
    void raise(JobEvent.Kind kind, JobId job, int attempt, @Nullable JobProgress progress, @Nullable String reason) {
        boolean toOthers = writer.wantsEvents();
        if (!toOthers && listeners.isEmpty()) {
            signalEnd(kind, job.toString());
            return;
        }
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        JobEvent event = new JobEvent(kind, job.toString(), job.type(), attempt, now, progress, reason);
        deliver(event, true);
        if (toOthers) {
            writer.add(event);
        }
    }

    private void deliver(JobEvent event, boolean raisedHere) {
        signalEnd(event.kind(), event.jobId());
        listeners.forEach(listening -> {
            if (raisedHere || !listening.isLocal()) {
                listening.add(event);
            }
        });
    }

    private void signalEnd(JobEvent.Kind kind, String job) {
        if (kind.isEnd() || kind == JobEvent.Kind.REMOVED) {
            ends.ended(job);
        }
    }

    /** Adds a listener, and waits until the storage knows that this process listens; not for one of local events. */
    JobListening add(JobEventFilter filter, JobEventListener listener) {
        Listening added = new Listening(
                Objects.requireNonNull(filter, "filter"),
                Objects.requireNonNull(listener, "listener"),
                executor,
                outages,
                this::remove);
        CompletionStage<?> known;
        lock.lock();
        try {
            if (closed) {
                throw new QueueClosedException("the factory is closed", null, null, null);
            }
            listeners.add(added);
            known = filter.isLocal() ? CompletableFuture.completedFuture(true) : reader.start();
        } finally {
            lock.unlock();
        }
        try {
            Answers.await(known, clock, timeout, false);
        } catch (JonoException failure) {
            outages.warn(
                    JobsContext.LOG,
                    failure,
                    "a listener does not hear the events of other processes until the store answers");
        }
        return added;
    }

    private void remove(Listening listening) {
        lock.lock();
        try {
            listeners.remove(listening);
            if (listeners.stream().allMatch(Listening::isLocal)) {
                reader.stop();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the listeners, and waits a moment for the last events to be sent. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        listeners.forEach(Listening::close);
        try {
            Duration limit = timeout.compareTo(MAX_CLOSE) < 0 ? timeout : MAX_CLOSE;
            Answers.await(writer.close(), clock, limit, false);
        } catch (JonoException late) {
            outages.warn(JobsContext.LOG, late, "the last events of jobs could not be written for other processes");
        }
    }
}
