package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobEventListener;
import dev.jono.jobs.JobListening;
import dev.jono.spi.OutageLog;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listener, with the events that wait for it. It is called with one event at a time, in their order. Thread-safe. */
final class Listening implements JobListening {
    private static final int MAX_EVENTS = 10_000;

    private final JobEventFilter filter;
    private final JobEventListener listener;
    private final Executor executor;
    private final OutageLog outages;
    private final Consumer<Listening> onClose;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Queue<JobEvent> events = new ArrayDeque<>();

    @GuardedBy("lock") private boolean calling;

    @GuardedBy("lock") private boolean closed;

    @GuardedBy("lock") private long dropped;

    Listening(
            JobEventFilter filter,
            JobEventListener listener,
            Executor executor,
            OutageLog outages,
            Consumer<Listening> onClose) {
        this.filter = filter;
        this.listener = listener;
        this.executor = executor;
        this.outages = outages;
        this.onClose = onClose;
    }

    boolean isLocal() {
        return filter.isLocal();
    }

    /** Adds an event, if the listener wants it. Does not block. */
    void add(JobEvent event) {
        if (!filter.matches(event)) {
            return;
        }
        boolean start = false;
        long lost = 0;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (events.size() < MAX_EVENTS) {
                events.add(event);
                start = !calling;
                calling = true;
            } else {
                lost = ++dropped;
            }
        } finally {
            lock.unlock();
        }
        if (lost > 0) {
            outages.warn(
                    JobsContext.LOG,
                    null,
                    "a listener of events of jobs is too slow: {} events are dropped so far: {}",
                    lost,
                    listener.getClass().getName());
        }
        if (start) {
            try {
                executor.execute(this::callAll);
            } catch (RejectedExecutionException factoryClosed) {
                close();
            }
        }
    }

    private void callAll() {
        for (JobEvent event = next(); event != null; event = next()) {
            try {
                listener.onEvent(event);
            } catch (Throwable failure) {
                outages.warn(
                        JobsContext.LOG,
                        failure,
                        "a listener has failed at event {} of job {}",
                        event.kind(),
                        event.jobId());
            }
        }
    }

    private @Nullable JobEvent next() {
        lock.lock();
        try {
            JobEvent event = events.poll();
            calling = event != null;
            return event;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            events.clear();
        } finally {
            lock.unlock();
        }
        onClose.accept(this);
    }
}
