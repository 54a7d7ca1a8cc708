package dev.jono.internal.stats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Listeners;
import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Counters and paused flags of the queues of a factory, in one stats store. Best effort: a failure of the store is logged, and
 * does not fail the calls that are counted. Called on any thread; a timer flushes the counts. The lock is never held while the
 * store is called. Thread-safe.
 */
public final class StatsHub {
    private static final Log LOG = Log.named("dev.jono.stats");
    private static final long FLUSH_NANOS = Duration.ofMillis(100).toNanos();
    private static final long RETRY_NANOS = Duration.ofSeconds(5).toNanos();

    private final EngineContext context;
    private final StatsStore store;
    private final boolean carried;
    private final Set<PendingCounts> dirty = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean flushPlanned = new AtomicBoolean();

    /** The timer of the last planned flush. */
    private volatile JonoClock.@Nullable Timer flushTimer;

    private final ReentrantLock lock = new ReentrantLock();

    /** Queues whose paused flag is to be read by the next call. */
    @GuardedBy("lock") private Map<String, CompletableFuture<Boolean>> toRead = new LinkedHashMap<>();

    /** Whether a call that reads paused flags is in flight. */
    @GuardedBy("lock") private boolean reading;

    /** The last flush that was requested. */
    @GuardedBy("lock") private CompletableFuture<Void> lastFlush = CompletableFuture.completedFuture(null);

    /** The flush that has not begun; null for none. All callers share it. */
    @GuardedBy("lock") private @Nullable CompletableFuture<Void> nextFlush;

    public StatsHub(EngineContext context, StatsStore store) {
        this.context = context;
        this.store = store;
        this.carried = context.backend.carries(store);
    }

    /** Whether a probe of the storage also reads the paused flags. */
    public boolean carried() {
        return carried;
    }

    public StatsStore store() {
        return store;
    }

    Listeners listeners() {
        return context.listeners;
    }

    void dirty(PendingCounts counters) {
        if (!dirty.contains(counters)) {
            dirty.add(counters);
        }
        planFlush(FLUSH_NANOS);
    }

    private void planFlush(long delayNanos) {
        if (!flushPlanned.get() && flushPlanned.compareAndSet(false, true)) {
            flushTimer = context.clock.schedule(delayNanos, () -> {
                flushPlanned.set(false);
                flush();
            });
        }
    }

    /** Ends the planned flushes. Called after the last {@link #flush}. */
    public void close() {
        flushPlanned.set(true);
        JonoClock.Timer planned = flushTimer;
        if (planned != null) {
            planned.cancel();
        }
    }

    /** Adds all pending counts to the store, after the flush in flight. Completes normally even if the store fails. */
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> flush = new CompletableFuture<>();
        CompletableFuture<Void> before;
        lock.lock();
        try {
            if (nextFlush != null) {
                return nextFlush;
            }
            nextFlush = flush;
            before = lastFlush;
            lastFlush = flush;
        } finally {
            lock.unlock();
        }
        before.whenComplete((done, none) -> {
            lock.lock();
            try {
                nextFlush = null;
            } finally {
                lock.unlock();
            }
            flushNow().whenComplete((stored, failure) -> flush.complete(null));
        });
        return flush;
    }

    private CompletableFuture<Void> flushNow() {
        Map<PendingCounts, Map<Counter, Long>> removed = new HashMap<>();
        Map<String, Map<Counter, Long>> deltas = new HashMap<>();
        for (PendingCounts counters : List.copyOf(dirty)) {
            dirty.remove(counters);
            Map<Counter, Long> counts = counters.removeAll();
            if (!counts.isEmpty()) {
                removed.put(counters, counts);
                Map<Counter, Long> sum = deltas.computeIfAbsent(counters.queue(), q -> new EnumMap<>(Counter.class));
                counts.forEach((counter, count) -> sum.merge(counter, count, Long::sum));
            }
        }
        if (deltas.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return Completions.start(() -> store.add(deltas)).handle((done, failure) -> {
            if (failure != null) {
                LOG.outage(
                        context.outages,
                        failure,
                        "counters of {} queues could not be stored; stored again later",
                        deltas.size());
                removed.forEach(PendingCounts::addAgain);
                dirty.addAll(removed.keySet());
                if (!context.closed()) {
                    planFlush(RETRY_NANOS);
                }
            }
            return null;
        });
    }

    /**
     * A queue was deleted: drops its pending counts, and deletes it from the store after the flush in flight. Returns whether
     * the queue was paused.
     */
    public CompletableFuture<Boolean> delete(PendingCounts deleted) {
        deleted.queueDeleted();
        // Queue objects with different options can have different counters.
        dirty.stream()
                .filter(counters -> counters.queue().equals(deleted.queue()))
                .forEach(PendingCounts::queueDeleted);
        return flush().thenCompose(flushed -> Completions.start(() -> store.delete(deleted.queue())));
    }

    /**
     * Returns whether a queue is paused; false if the store fails. While a call that reads flags is in flight, further queues
     * are collected for the next one.
     */
    public CompletableFuture<Boolean> paused(String queue) {
        CompletableFuture<Boolean> answer;
        lock.lock();
        try {
            answer = toRead.computeIfAbsent(queue, q -> new CompletableFuture<>());
            if (reading) {
                return answer;
            }
            reading = true;
        } finally {
            lock.unlock();
        }
        readPaused();
        return answer;
    }

    /** Reads flags until {@link #toRead} is empty. */
    private void readPaused() {
        while (true) {
            Map<String, CompletableFuture<Boolean>> batch;
            lock.lock();
            try {
                batch = toRead;
                toRead = new LinkedHashMap<>();
                if (batch.isEmpty()) {
                    reading = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            CompletableFuture<Set<String>> paused = pausedAmong(batch.keySet()).exceptionally(logged -> Set.of());
            if (!paused.isDone()) {
                paused.thenAccept(names -> {
                    batch.forEach((queue, answer) -> answer.complete(names.contains(queue)));
                    readPaused();
                });
                return;
            }
            Set<String> names = paused.join();
            batch.forEach((queue, answer) -> answer.complete(names.contains(queue)));
        }
    }

    /** Returns which of these queues are paused. If the store fails, logs the failure and fails. */
    public CompletableFuture<Set<String>> pausedAmong(Collection<String> queues) {
        return Completions.start(() -> store.paused(queues))
                .thenApply(StatsHub::answered)
                .whenComplete((paused, failure) -> {
                    if (failure != null && !context.closed()) {
                        LOG.outage(
                                context.outages,
                                failure,
                                "the paused flags of {} queues could not be read; they count as unchanged",
                                queues.size());
                    }
                });
    }

    private static Set<String> answered(@Nullable Set<String> paused) {
        return Objects.requireNonNull(paused, "the stats store answered null");
    }
}
