package dev.jono.internal.stats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
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
 * Counters and paused flags of the queues of a factory, in one stats store. Best effort: a failure of the store is logged
 * and fails no call. Thread-safe.
 */
public final class StatsHub {
    private static final Log LOG = Log.named("dev.jono.stats");
    private static final long FLUSH_NANOS = Duration.ofMillis(100).toNanos();
    private static final long AFTER_FAILURE_NANOS = Duration.ofSeconds(5).toNanos();

    private final EngineContext context;
    private final StatsStore store;
    private final boolean carried;
    private final Set<PendingCounts> dirty = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean flushPlanned = new AtomicBoolean();

    /** The timer of the last planned flush. */
    private volatile JonoClock.@Nullable Timer flushTimer;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private Map<String, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();

    @GuardedBy("lock") private boolean asking;

    /** The flush in flight, or the last one. */
    @GuardedBy("lock") private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    /** The one flush that has not begun; null for none. */
    @GuardedBy("lock") private @Nullable CompletableFuture<Void> next;

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

    /** Plans no further flush; the last one was requested before. */
    public void close() {
        flushPlanned.set(true);
        JonoClock.Timer planned = flushTimer;
        if (planned != null) {
            planned.cancel();
        }
    }

    /** Adds all pending counts to the store, after the flush in flight. Completes normally even if the store fails. */
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> before;
        lock.lock();
        try {
            if (next != null) {
                return next;
            }
            next = mine;
            before = running;
            running = mine;
        } finally {
            lock.unlock();
        }
        before.whenComplete((done, none) -> {
            lock.lock();
            try {
                next = null;
            } finally {
                lock.unlock();
            }
            flushNow().whenComplete((stored, failure) -> mine.complete(null));
        });
        return mine;
    }

    private CompletableFuture<Void> flushNow() {
        Map<PendingCounts, Map<Counter, Long>> taken = new HashMap<>();
        Map<String, Map<Counter, Long>> deltas = new HashMap<>();
        for (PendingCounts counters : List.copyOf(dirty)) {
            dirty.remove(counters);
            Map<Counter, Long> counts = counters.take();
            if (!counts.isEmpty()) {
                taken.put(counters, counts);
                Map<Counter, Long> sum = deltas.computeIfAbsent(counters.queue(), q -> new EnumMap<>(Counter.class));
                counts.forEach((counter, count) -> sum.merge(counter, count, Long::sum));
            }
        }
        if (deltas.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return ask(() -> store.add(deltas)).handle((done, failure) -> {
            if (failure != null) {
                LOG.outage(
                        context.outages,
                        failure,
                        "counters of {} queues could not be stored; stored again later",
                        deltas.size());
                taken.forEach(PendingCounts::keep);
                dirty.addAll(taken.keySet());
                if (!context.closed()) {
                    planFlush(AFTER_FAILURE_NANOS);
                }
            }
            return null;
        });
    }

    /**
     * A queue was deleted: drops its pending counts, and deletes it from the store after the flush in flight. Completes
     * with whether it was paused.
     */
    public CompletableFuture<Boolean> delete(PendingCounts deleted) {
        deleted.end();
        // Queue objects with other options have counters of their own.
        dirty.stream()
                .filter(counters -> counters.queue().equals(deleted.queue()))
                .forEach(PendingCounts::end);
        return flush().thenCompose(flushed -> ask(() -> store.delete(deleted.queue())));
    }

    /**
     * Whether a queue is paused. While one question is in flight, further ones are gathered for the next. Completes with
     * false if the store fails.
     */
    public CompletableFuture<Boolean> paused(String queue) {
        CompletableFuture<Boolean> answer;
        lock.lock();
        try {
            answer = asked.computeIfAbsent(queue, q -> new CompletableFuture<>());
            if (asking) {
                return answer;
            }
            asking = true;
        } finally {
            lock.unlock();
        }
        askPaused();
        return answer;
    }

    private void askPaused() {
        while (true) {
            Map<String, CompletableFuture<Boolean>> batch;
            lock.lock();
            try {
                batch = asked;
                asked = new LinkedHashMap<>();
                if (batch.isEmpty()) {
                    asking = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            CompletableFuture<Set<String>> paused = pausedAmong(batch.keySet()).exceptionally(logged -> Set.of());
            if (!paused.isDone()) {
                paused.thenAccept(names -> {
                    batch.forEach((queue, answer) -> answer.complete(names.contains(queue)));
                    askPaused();
                });
                return;
            }
            Set<String> names = paused.join();
            batch.forEach((queue, answer) -> answer.complete(names.contains(queue)));
        }
    }

    /** Which of these queues are paused. Fails, and logs the failure, if the store does. */
    public CompletableFuture<Set<String>> pausedAmong(Collection<String> queues) {
        return ask(() -> store.paused(queues)).thenApply(StatsHub::answered).whenComplete((paused, failure) -> {
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

    private static <R> CompletableFuture<R> ask(
            java.util.function.Supplier<java.util.concurrent.CompletionStage<R>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }
}
