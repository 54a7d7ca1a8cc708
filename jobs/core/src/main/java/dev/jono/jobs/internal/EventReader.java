package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.spi.OutageLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of other processes from the log, five times a second, while this process has listeners. It announces itself to the
 * other processes and renews that every five seconds. If this process dies, the others write events for half a minute more.
 * Thread-safe.
 */
final class EventReader {
    private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LEASE_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final int MAX_EVENTS = 1000;
    private static final int MAX_WRITERS = 1000;

    private final String id;
    private final JobStore store;
    private final JonoClock clock;
    private final Executor executor;
    private final OutageLog outages;
    private final Consumer<JobEvent> sink;
    private final ReentrantLock lock = new ReentrantLock();

    /** The current period of listening; null if there are no listeners. */
    @GuardedBy("lock") private @Nullable Period period;

    /** The last call that changes the announcement. The next one is sent after its answer, so they take effect in their order. */
    @GuardedBy("lock") private CompletableFuture<String> announcement = CompletableFuture.completedFuture("");

    /** The highest number of an event of each writer, the last used one at the end. */
    @GuardedBy("lock") private final Map<String, Long> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_WRITERS;
        }
    };

    /** From the first listener to the close of the last one. Its fields are used by one step at a time. */
    private static final class Period {
        /** Completes when the storage has answered to the first announcement. */
        final CompletableFuture<String> announced = new CompletableFuture<>();

        @Nullable String position;

        long renewAtNanos;
        volatile JonoClock.@Nullable Timer timer;
    }

    /**
     * A reader for a process with this id.
     *
     * @param sink gets the events of other processes; must not block
     */
    EventReader(
            String id, JobStore store, JonoClock clock, Executor executor, OutageLog outages, Consumer<JobEvent> sink) {
        this.id = id;
        this.store = store;
        this.clock = clock;
        this.executor = executor;
        this.outages = outages;
        this.sink = sink;
    }

    /** Begins to read, if it does not read already. Returns what completes when the storage knows this reader. */
    CompletionStage<?> start() {
        Period started;
        lock.lock();
        try {
            if (period != null) {
                return period.announced;
            }
            started = new Period();
            period = started;
        } finally {
            lock.unlock();
        }
        step(started);
        return started.announced;
    }

    /** Ends the reading. Does not block. */
    void stop() {
        Period stopped;
        lock.lock();
        try {
            stopped = period;
            period = null;
        } finally {
            lock.unlock();
        }
        if (stopped != null) {
            JonoClock.Timer timer = stopped.timer;
            if (timer != null) {
                timer.cancel();
            }
            announce(0); // if it fails, the lease ends
        }
    }

    private boolean isCurrent(Period each) {
        lock.lock();
        try {
            return period == each;
        } finally {
            lock.unlock();
        }
    }

    /** Announces this reader if that is due, then reads. */
    private void step(Period current) {
        if (!isCurrent(current)) {
            return;
        }
        boolean renew = current.position == null || clock.nanos() - current.renewAtNanos >= 0;
        CompletionStage<?> known = renew ? renew(current) : CompletableFuture.completedFuture(true);
        known.thenCompose(done -> call(() -> store.events(String.valueOf(current.position), MAX_EVENTS)))
                .thenApplyAsync(page -> deliver(current, page), executor)
                .whenComplete((more, failure) -> next(current, more != null && more, failure));
    }

    private CompletionStage<?> renew(Period current) {
        long now = clock.nanos();
        return announce(LEASE_MILLIS).whenComplete((end, failure) -> {
            if (failure == null) {
                current.renewAtNanos = now + RENEW_NANOS;
                current.position = current.position == null ? end : current.position;
                current.announced.complete(end);
            } else {
                current.announced.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<String> announce(long leaseMillis) {
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> before;
        lock.lock();
        try {
            before = announcement;
            announcement = result;
        } finally {
            lock.unlock();
        }
        before.whenComplete((end, ignored) -> call(() -> store.listenToEvents(id, leaseMillis))
                .whenComplete((position, failure) -> {
                    if (failure == null) {
                        result.complete(position);
                    } else {
                        result.completeExceptionally(failure);
                    }
                }));
        return result;
    }

    private static <R> CompletionStage<R> call(Supplier<CompletionStage<R>> call) {
        try {
            return call.get();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Returns whether the log has more events. */
    private boolean deliver(Period current, List<StoredEvent> page) {
        for (StoredEvent each : page) {
            EventDocument.parse(each.document()).filter(this::isNew).ifPresent(event -> {
                if (isCurrent(current)) {
                    sink.accept(event.event());
                }
            });
            current.position = each.position();
        }
        return page.size() == MAX_EVENTS;
    }

    /** Whether an event of another process is not a repetition. */
    private boolean isNew(EventDocument event) {
        if (event.writer().equals(id)) {
            return false;
        }
        lock.lock();
        try {
            Long last = seen.get(event.writer());
            if (last != null && last >= event.number()) {
                return false;
            }
            seen.put(event.writer(), event.number());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void next(Period current, boolean more, @Nullable Throwable failure) {
        if (more) {
            stepLater(current);
            return;
        }
        if (failure != null && isCurrent(current)) {
            outages.warn(
                    JobsContext.LOG,
                    Answers.unwrap(failure),
                    "events of other processes could not be read; their listeners hear them later, or miss some");
        }
        current.timer = clock.schedule(failure == null ? READ_NANOS : AFTER_FAILURE_NANOS, () -> stepLater(current));
        if (!isCurrent(current)) {
            current.timer.cancel(); // it was stopped meanwhile
        }
    }

    /** The thread of the clock must not call the store. */
    private void stepLater(Period current) {
        try {
            executor.execute(() -> step(current));
        } catch (RejectedExecutionException closed) {
            // The factory is closed.
        }
    }
}
