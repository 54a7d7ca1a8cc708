package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.StoredEntry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Permits that come from an entry in the job store. An exchange with the entry is a read and a compare-and-set; one is in flight at a
 * time. Permits are requested when a worker has asked for more than there are, and given back when they were unused for a moment.
 * Thread-safe.
 */
abstract class SharedPermits {
    /** Unused permits are kept for this time: the next job may come soon. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    /** The time until a failed exchange is repeated. */
    private static final long STORE_AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The longest time until an exchange is repeated at which another process was faster. */
    private static final long COLLISION_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** How often the last exchange is tried while other processes are faster: processes can end at the same time. */
    private static final int MAX_COLLISIONS = 50;

    final JobsContext context;
    final String type;
    private final String kind;
    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    /** Permits that can be taken. Negative if the store has granted fewer than are in use, after a stall of this process. */
    @GuardedBy("lock") private int free;

    /** Permits whose jobs run, or are being claimed. */
    @GuardedBy("lock") private int inUse;

    /** How many more permits a worker has asked for; 0 if the last request was granted. */
    @GuardedBy("lock") private int missing;

    @GuardedBy("lock") private boolean exchanging;

    /** Whether the last exchange brought too few permits: then the next one is not before {@link #pausedUntilNanos}. */
    @GuardedBy("lock") private boolean paused;

    @GuardedBy("lock") private long pausedUntilNanos;

    /** Completes with the exchange in flight. */
    @GuardedBy("lock") private CompletableFuture<Boolean> ended = CompletableFuture.completedFuture(true);

    @GuardedBy("lock") private JonoClock.@Nullable Timer timer;

    @GuardedBy("lock") private long timerNanos;

    @GuardedBy("lock") private boolean closing;

    /**
     * What an exchange does.
     *
     * @param document the new content of the entry; null to remove it
     * @param granted how many permits come; negative if too many were held
     * @param againMillis when the next exchange is due; negative for none
     * @param pauseMillis for how long no permits will be granted, if too few were
     */
    record Exchange(@Nullable ObjectNode document, int granted, long againMillis, long pauseMillis) {}

    SharedPermits(JobsContext context, String kind, String type) {
        this.context = context;
        this.kind = kind;
        this.type = type;
    }

    /**
     * Decides an exchange.
     *
     * @param entry the content of the entry; empty if there is none
     * @param nowMillis the time, by the storage's clock
     * @param held how many permits this process holds, without those that it gives back
     * @param wanted how many more it wants
     * @param returned how many it gives back
     */
    abstract Exchange exchange(ObjectNode entry, long nowMillis, int held, int wanted, int returned);

    /** Whether a permit can be used again when its run has ended. */
    abstract boolean reusable();

    /** Called after an exchange was stored. */
    void exchanged(int granted, int returned) {}

    void addListener(Runnable opened) {
        listeners.add(opened);
    }

    void removeListener(Runnable opened) {
        listeners.remove(opened);
        if (listeners.isEmpty()) {
            lock.lock();
            try {
                missing = 0;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether a permit can be taken now. */
    boolean isOpen() {
        lock.lock();
        try {
            return free > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to {@code wanted} permits. If it returns fewer, more are requested from the store. Called with locks held. */
    int take(int wanted) {
        lock.lock();
        try {
            int taken = Math.max(0, Math.min(free, wanted));
            free -= taken;
            inUse += taken;
            if (taken < wanted) {
                missing = Math.max(missing, wanted - taken);
                planExchange(paused ? Math.max(0, pausedUntilNanos - context.clock.nanos()) : 0);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back permits of jobs that did not begin. Called with locks held. */
    void giveBack(int permits) {
        lock.lock();
        try {
            inUse -= permits;
            addFree(permits);
        } finally {
            lock.unlock();
        }
    }

    /** The runs of these permits have ended. Called with locks held. */
    void finished(int permits) {
        lock.lock();
        try {
            inUse -= permits;
            if (reusable()) {
                addFree(permits);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void addFree(int permits) {
        free += permits;
        if (free > 0 && permits > 0) {
            if (missing > 0) {
                missing = 0;
                callListeners();
            }
            planExchange(IDLE_NANOS);
        }
    }

    /** On another thread, because locks are held. */
    private void callListeners() {
        context.execute(() -> listeners.forEach(Runnable::run));
    }

    /** Plans an exchange, unless one is planned that is earlier, or {@link #close} makes the last ones. */
    @GuardedBy("lock") private void planExchange(long delayNanos) {
        long at = context.clock.nanos() + delayNanos;
        if (exchanging || closing || (timer != null && timerNanos - at <= 0)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerNanos = at;
        timer = context.clock.schedule(delayNanos, () -> context.execute(this::start));
    }

    /** Starts an exchange, unless one is in flight. Completes with it: false if another process was faster. */
    @CanIgnoreReturnValue
    private CompletableFuture<Boolean> start() {
        int back;
        int held;
        int wanted;
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        lock.lock();
        try {
            if (exchanging) {
                return ended;
            }
            ended = end;
            if (timer != null) {
                timer.cancel(); // a planned exchange may be far away
                timer = null;
            }
            exchanging = true;
            wanted = closing ? 0 : missing;
            back = wanted > 0 ? 0 : Math.max(0, free);
            free -= back;
            held = inUse + free;
        } finally {
            lock.unlock();
        }
        send(held, wanted, back).whenComplete((stored, failure) -> end.complete(failure != null || stored));
        return end;
    }

    private CompletionStage<Boolean> send(int held, int wanted, int back) {
        CompletionStage<Boolean> done;
        try {
            done = context.store.entries(kind, List.of(type)).thenCompose(page -> {
                StoredEntry entry =
                        page.entries().isEmpty() ? null : page.entries().get(0);
                ObjectNode content = entry == null ? JobJson.object() : JobJson.parse(entry.document());
                Exchange exchange = exchange(content, page.nowMillis(), held, wanted, back);
                ObjectNode next = exchange.document();
                EntryChange change = EntryChange.of(kind, type, entry, next == null ? null : next.toString());
                return context.store.changeEntries(List.of(change)).thenApply(changed -> {
                    boolean stored = changed.get(0);
                    if (stored) {
                        end(exchange, wanted, back);
                    }
                    return stored;
                });
            });
        } catch (RuntimeException failure) {
            done = CompletableFuture.failedFuture(failure);
        }
        return done.whenComplete((stored, failure) -> {
            if (failure != null) {
                context.outages.warn(
                        JobsContext.LOG,
                        Answers.unwrap(failure),
                        "the {} of job type '{}' could not be changed; tried again in a second",
                        kind,
                        type);
                giveUp(0, STORE_AWAY_NANOS); // the permits may have been given back, so other processes may have them
            } else if (!stored) {
                giveUp(back, ThreadLocalRandom.current().nextLong(COLLISION_NANOS));
            }
        });
    }

    private void end(Exchange exchange, int wanted, int returned) {
        lock.lock();
        try {
            exchanging = false;
            free += exchange.granted();
            paused = exchange.granted() < wanted;
            pausedUntilNanos = context.clock.nanos() + TimeUnit.MILLISECONDS.toNanos(exchange.pauseMillis());
            missing = exchange.granted() > 0 ? 0 : missing;
            if (exchange.againMillis() >= 0) {
                planExchange(TimeUnit.MILLISECONDS.toNanos(exchange.againMillis()));
            }
            if (missing > 0 && wanted == 0) {
                planExchange(0); // a worker has asked since
            }
            if (free > 0) {
                callListeners();
                planExchange(IDLE_NANOS);
            }
        } finally {
            lock.unlock();
        }
        exchanged(exchange.granted(), returned);
    }

    private void giveUp(int returned, long againNanos) {
        lock.lock();
        try {
            exchanging = false;
            free += returned;
            planExchange(againNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Gives back all permits that are not in use. Completes when that is stored, or was tried. */
    CompletableFuture<Boolean> close() {
        CompletableFuture<Boolean> before;
        lock.lock();
        try {
            closing = true;
            before = ended;
        } finally {
            lock.unlock();
        }
        return before.thenCompose(done -> exchangeUntilStored(MAX_COLLISIONS));
    }

    private CompletableFuture<Boolean> exchangeUntilStored(int attempts) {
        return start().thenCompose(stored -> stored || attempts == 1
                ? CompletableFuture.completedFuture(stored)
                : exchangeUntilStored(attempts - 1));
    }

    @Override
    public String toString() {
        return kind + " of job type " + type;
    }
}
