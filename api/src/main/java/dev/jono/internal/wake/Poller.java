package dev.jono.internal.wake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.concurrent.OnceTask;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.stats.StatsHub;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Polls the storage, because signals can be lost. Once per poll interval it probes the storage and reads the paused flags of all
 * queues that have waiters; one probe does both where the storage can. Queues with the same interval share a tick.
 *
 * <p>Ticks run on the thread of the clock; answers arrive on the threads of the storage. The lock is never held while the storage
 * or a queue is called. Thread-safe.
 */
public final class Poller {
    private static final Log LOG = Log.named("dev.jono");

    private static final CompletableFuture<?> NO_FLAGS_TO_READ = CompletableFuture.completedFuture(null);

    private final EngineContext context;
    private final ReentrantLock lock = new ReentrantLock();

    /** Queues with waiters, by poll interval in nanoseconds. An interval ticks while it has an entry. */
    @GuardedBy("lock") private final Map<Long, Set<Polled>> active = new HashMap<>();

    /** The next tick of each poll interval. */
    @GuardedBy("lock") private final Map<Long, JonoClock.Timer> ticks = new HashMap<>();

    /** A queue that can be polled. */
    public interface Polled {
        String name();

        /** The pipeline of the queue; null where the backend has none. */
        @Nullable String pipeline();

        /** Its poll interval in nanoseconds. */
        long pollNanos();

        StatsHub stats();

        QueueWatch watch();

        /** The storage says that a message is due after this many milliseconds; {@link ClaimResult#NONE} for none. */
        void probed(long millis);

        /** Ends the polling of the queue if it has no waiter; returns whether it has one. */
        boolean stayActive();
    }

    public Poller(EngineContext context) {
        this.context = context;
    }

    void add(Polled queue) {
        boolean first;
        lock.lock();
        try {
            first = !active.containsKey(queue.pollNanos());
            active.computeIfAbsent(queue.pollNanos(), n -> new HashSet<>()).add(queue);
        } finally {
            lock.unlock();
        }
        if (first) {
            plan(queue.pollNanos());
        }
    }

    private void plan(long pollNanos) {
        JonoClock.Timer next = context.clock.schedule(pollNanos, () -> tick(pollNanos));
        lock.lock();
        try {
            ticks.put(pollNanos, next);
            if (context.ended()) {
                next.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the polling of all queues. Called when the factory closes. */
    public void close() {
        lock.lock();
        try {
            ticks.values().forEach(JonoClock.Timer::cancel);
            ticks.clear();
        } finally {
            lock.unlock();
        }
    }

    private void tick(long pollNanos) {
        List<Polled> queues;
        try {
            queues = active(pollNanos);
        } catch (RuntimeException | Error failure) {
            LOG.error("the queues with waiters could not be polled; tried again after the poll interval", failure);
            plan(pollNanos);
            return;
        }
        // The next tick is planned: a failure from here on must not plan it twice.
        try {
            if (!context.closed()) {
                queues.stream()
                        .collect(Collectors.groupingBy(queue -> Optional.ofNullable(queue.pipeline())))
                        .values()
                        .forEach(this::poll);
            }
        } catch (RuntimeException | Error failure) {
            LOG.error(
                    "{} queues with waiters could not be polled; tried again after the poll interval",
                    queues.size(),
                    failure);
        }
    }

    /** Polls the queues of one pipeline. */
    private void poll(List<Polled> queues) {
        List<Polled> apart =
                queues.stream().filter(queue -> !queue.stats().carried()).toList();
        probe(queues, apart, apart.isEmpty() ? NO_FLAGS_TO_READ : checkPaused(apart));
    }

    /** The queues that have waiters; plans the next tick if there are any. */
    private List<Polled> active(long pollNanos) {
        List<Polled> queues;
        lock.lock();
        try {
            queues = new ArrayList<>(active.getOrDefault(pollNanos, Set.of()));
        } finally {
            lock.unlock();
        }
        List<Polled> inactive = context.closed()
                ? queues
                : queues.stream().filter(queue -> !queue.stayActive()).toList();
        queues.removeAll(inactive);
        boolean more;
        lock.lock();
        try {
            Set<Polled> remaining = active.getOrDefault(pollNanos, Set.of());
            // A queue that has become active again since was added again, and stays.
            inactive.forEach(queue -> {
                if (!queue.watch().active()) {
                    remaining.remove(queue);
                }
            });
            more = !remaining.isEmpty() && !context.closed();
            if (!more) {
                active.remove(pollNanos);
            }
        } finally {
            lock.unlock();
        }
        if (more) {
            plan(pollNanos);
        }
        return queues;
    }

    /**
     * Probes queues. A result is used when it is known whether the queue is paused.
     *
     * @param apart the queues among them whose paused flags the probe does not read
     * @param flags completes when the flags of these were read
     */
    private void probe(List<Polled> queues, List<Polled> apart, CompletableFuture<?> flags) {
        List<Polled> flagged =
                queues.stream().filter(queue -> queue.stats().carried()).toList();
        Map<Polled, Long> before = versions(flagged);
        probe(queues, flagged, (result, failure) -> {
            if (result != null) {
                setFlags(before, result.paused());
                probed(flagged, result);
                whenRead(flags, () -> probed(apart, result));
            } else if (flagged.isEmpty()) {
                warn(queues, failure);
            } else if (!context.closed()) {
                // Perhaps only the flags cannot be read, and a failure of the stats must not end the polling.
                CompletableFuture<?> all = CompletableFuture.allOf(flags, checkPaused(flagged));
                probe(queues, List.of(), (again, why) -> {
                    if (again == null) {
                        warn(queues, why);
                    } else {
                        whenRead(all, () -> probed(queues, again));
                    }
                });
            }
        });
    }

    private void warn(List<Polled> queues, @Nullable Throwable failure) {
        if (!context.closed()) {
            LOG.outage(
                    context.outages,
                    failure,
                    "{} queues could not be probed; tried again after the poll interval",
                    queues.size());
        }
    }

    private void probe(
            List<Polled> queues, List<Polled> flagged, BiConsumer<@Nullable ProbeResult, @Nullable Throwable> then) {
        ProbeRequest request = ProbeRequest.builder()
                .queues(queues.stream().map(Polled::name).collect(Collectors.toSet()))
                .pipeline(queues.get(0).pipeline())
                .flags(flagged.stream().map(Polled::name).toList())
                .build();
        long sent = context.clock.nanos();
        Completions.start(() -> context.backend.probe(request)).whenComplete((result, failure) -> {
            if (result != null) {
                context.storageClock.observe(result.storageMillis(), sent);
            }
            then.accept(result, failure);
        });
    }

    private static void probed(List<Polled> queues, ProbeResult result) {
        queues.forEach(queue -> queue.probed(result.nextMillis().getOrDefault(queue.name(), ClaimResult.NONE)));
    }

    /** Reads the paused flag of one queue again. */
    void checkPaused(Polled queue) {
        checkPaused(List.of(queue));
    }

    /** Reads the paused flag of one queue again; then runs a step. */
    void checkPaused(Polled queue, Runnable then) {
        whenRead(checkPaused(List.of(queue)), then);
    }

    private static CompletableFuture<?> checkPaused(List<Polled> queues) {
        Map<StatsHub, List<Polled>> byHub = queues.stream().collect(Collectors.groupingBy(Polled::stats));
        List<CompletableFuture<?>> all = new ArrayList<>();
        byHub.forEach((hub, group) -> {
            Map<Polled, Long> before = versions(group);
            all.add(hub.pausedAmong(group.stream().map(Polled::name).toList())
                    .thenAccept(paused -> setFlags(before, paused)));
        });
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Runs a step when the flags were read, or {@link QueueWatch#STATS_TIMEOUT_NANOS} later: stats are best effort. */
    private void whenRead(CompletableFuture<?> flags, Runnable then) {
        if (flags.isDone()) {
            then.run();
            return;
        }
        OnceTask once = new OnceTask(then);
        JonoClock.Timer limit = context.clock.schedule(QueueWatch.STATS_TIMEOUT_NANOS, once);
        flags.whenComplete((read, failure) -> {
            limit.cancel();
            once.run();
        });
    }

    private static Map<Polled, Long> versions(List<Polled> queues) {
        return queues.stream()
                .collect(Collectors.toMap(queue -> queue, queue -> queue.watch().version()));
    }

    /** Sets the flags that were read, for queues whose flag has not changed since the versions were read. */
    private static void setFlags(Map<Polled, Long> before, Set<String> paused) {
        before.forEach((queue, version) -> queue.watch().setAsRead(paused.contains(queue.name()), version));
    }
}
