package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The runs of one runner, and the ends of messages that are not stored yet. Called on the threads of handlers, by the storage, and by the
 * timer of a stop. After {@link #interruptAll} no run begins: it would not be interrupted, and would count when the worker ends it.
 * Thread-safe.
 */
final class RunnerRuns {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Set<RunImpl> runs = new HashSet<>();

    @GuardedBy("lock") private boolean closed;

    private volatile boolean stopping;
    private final Set<CompletableFuture<?>> ends = ConcurrentHashMap.newKeySet();
    private final HandlerSlots slots;
    private final Runnable onBegin;

    /**
     * No runs yet.
     *
     * @param slots each run has one
     */
    RunnerRuns(HandlerSlots slots, Runnable onBegin) {
        this.slots = slots;
        this.onBegin = onBegin;
    }

    /** Adds a run that begins now; false if it must not begin. */
    boolean add(RunImpl run) {
        onBegin.run();
        lock.lock();
        try {
            return !closed && runs.add(run);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a run whose handler has returned. */
    void remove(RunImpl run) {
        lock.lock();
        try {
            runs.remove(run);
        } finally {
            lock.unlock();
        }
        slots.handled(1);
    }

    /** The runner stops: what it has claimed and not begun goes back. */
    void stop() {
        stopping = true;
    }

    /** Whether the runner stops. */
    boolean isStopping() {
        return stopping;
    }

    /** The runner is forced to stop. */
    void interruptAll() {
        List<RunImpl> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(runs);
        } finally {
            lock.unlock();
        }
        all.forEach(run -> run.interrupt(RunImpl.Interruption.STOP));
    }

    /** The runs that began first, up to a number. */
    List<RunImpl> longest(int max) {
        lock.lock();
        try {
            return runs.stream()
                    .sorted(Comparator.comparingLong(RunImpl::runMillis).reversed())
                    .limit(max)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** How many handlers run. */
    int size() {
        lock.lock();
        try {
            return runs.size();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the end of a message that is in flight. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    void addEnd(CompletableFuture<?> end) {
        ends.add(end);
        end.whenComplete((done, failure) -> ends.remove(end));
    }

    /** Waits until no end is in flight; false if the time is over before. Called when no run begins any more. */
    boolean awaitEnds(JonoClock clock, Duration timeout) {
        CompletableFuture<?> all = CompletableFuture.allOf(ends.stream()
                .map(end -> end.handle((done, failure) -> true)) // the code that added it logs the failure
                .toArray(CompletableFuture[]::new));
        try {
            Answers.await(all, clock, timeout, false);
            return true;
        } catch (StorageException late) {
            return false;
        }
    }
}
