package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.spi.JobStore;
import dev.jono.spi.OutageLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of this process to the log, in batches, for other processes. The store answers whether another process listens. If
 * none does, further events are dropped for a second; then the next event is sent, which asks again. Callers never wait. Thread-safe.
 */
final class EventWriter {
    private static final int MAX_BATCH = 200;
    private static final int MAX_WAITING = 10_000;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String id;
    private final JobStore store;
    private final JonoClock clock;
    private final Executor executor;
    private final OutageLog outages;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Queue<JobEvent> waiting = new ArrayDeque<>();

    @GuardedBy("lock") private boolean sending;

    @GuardedBy("lock") private long number;

    /** Completes when the last event is sent. */
    @GuardedBy("lock") private CompletableFuture<Boolean> sent = CompletableFuture.completedFuture(true);

    /** Whether no process listened at the last answer. */
    private volatile boolean quiet;

    /** The end of the second after the last answer, if no process listened. */
    private volatile long quietUntilNanos;

    private volatile boolean closed;

    /** The events of a process with this id. */
    EventWriter(String id, JobStore store, JonoClock clock, Executor executor, OutageLog outages) {
        this.id = id;
        this.store = store;
        this.clock = clock;
        this.executor = executor;
        this.outages = outages;
    }

    /** Whether another process may listen. */
    boolean wantsEvents() {
        return !closed && (!quiet || clock.nanos() - quietUntilNanos >= 0);
    }

    void add(JobEvent event) {
        boolean start;
        boolean full;
        lock.lock();
        try {
            if (!sending && !wantsEvents()) {
                return; // the answer came meanwhile
            }
            full = waiting.size() >= MAX_WAITING;
            if (!full) {
                waiting.add(event);
            }
            start = !sending;
            if (start) {
                sending = true;
                sent = new CompletableFuture<>();
            }
        } finally {
            lock.unlock();
        }
        if (full) {
            outages.warn(
                    JobsContext.LOG, null, "an event of a job is not written for other processes: the store is slow");
        }
        if (start) {
            onExecutor(this::send);
        }
    }

    private void onExecutor(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException closed) {
            drop(); // the factory is closed
        }
    }

    private void send() {
        List<String> batch = new ArrayList<>();
        CompletableFuture<Boolean> allSent;
        lock.lock();
        try {
            sending = !waiting.isEmpty();
            allSent = sent;
            while (batch.size() < MAX_BATCH && !waiting.isEmpty()) {
                number++;
                batch.add(new EventDocument(id, number, waiting.remove()).text());
            }
        } finally {
            lock.unlock();
        }
        if (batch.isEmpty()) {
            allSent.complete(true);
            return;
        }
        append(batch).whenComplete((heard, failure) -> answered(heard != null && heard, failure));
    }

    private CompletionStage<Boolean> append(List<String> batch) {
        try {
            return store.appendEvents(id, batch);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void answered(boolean heard, @Nullable Throwable failure) {
        if (failure != null) {
            outages.warn(
                    JobsContext.LOG,
                    Answers.unwrap(failure),
                    "events of jobs could not be written for other processes and are dropped");
        }
        if (heard) {
            quiet = false;
            onExecutor(this::send);
        } else {
            quietUntilNanos = clock.nanos() + QUIET_NANOS;
            quiet = true;
            drop();
        }
    }

    /** Drops what waits, and ends the sending. */
    private void drop() {
        CompletableFuture<Boolean> done;
        lock.lock();
        try {
            waiting.clear();
            sending = false;
            done = sent;
        } finally {
            lock.unlock();
        }
        done.complete(true);
    }

    /** Takes no further events. The result completes when no event waits to be sent. */
    CompletableFuture<Boolean> close() {
        closed = true;
        lock.lock();
        try {
            return sent;
        } finally {
            lock.unlock();
        }
    }
}
