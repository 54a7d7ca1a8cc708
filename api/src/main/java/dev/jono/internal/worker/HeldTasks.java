package dev.jono.internal.worker;

import dev.jono.internal.claim.HeldMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a worker, and its room for more messages. Occupied room is counted in messages: those that were claimed and
 * whose task has not ended, and those that are promised to claims in flight. It never exceeds concurrency plus prefetch. If
 * the number of handlers is limited too, messages stay in their queues until there is a handler for them.
 * Used by {@link WorkerState}, with its lock held.
 */
final class HeldTasks {
    private final int concurrency;
    private final int maxHeld;
    private final int maxHandlers;
    private final int prefetch;
    private final ArrayDeque<Task<?>> waiting = new ArrayDeque<>();
    private final Set<Task<?>> running = new HashSet<>();

    /** The occupied room. */
    private int held;

    private int runningMessages;

    /** Whether an isolated task runs: then no other task is started. */
    private boolean isolatedRuns;

    HeldTasks(WorkerSettings settings) {
        this.concurrency = settings.concurrency();
        this.prefetch = settings.prefetch();
        this.maxHeld = concurrency + prefetch;
        this.maxHandlers = settings.maxHandlers();
    }

    /**
     * How many messages can be claimed now. None while an isolated task waits or runs: a crash would count as a delivery of
     * the other messages too.
     */
    int freeRoom() {
        boolean anyIsolated = isolatedRuns || waiting.stream().anyMatch(task -> task.isolated);
        return anyIsolated ? 0 : maxHeld - held;
    }

    /**
     * How many messages can be claimed so that each batch gets a handler: full batches for the handlers that are free, and the
     * prefetch. A task occupies a handler whatever its size.
     *
     * @param batch the maximum number of messages in a batch of the source that claims
     * @param promised how many batches the claims in flight can bring
     */
    int roomOfHandlers(int batch, int promised) {
        if (maxHandlers == WorkerSettings.NO_LIMIT) {
            return Integer.MAX_VALUE;
        }
        long free = (long) maxHandlers - running.size() - waiting.size() - promised;
        return (int) Math.min(Integer.MAX_VALUE, free * batch + prefetch);
    }

    /** Occupies room for a claim that brings up to this many messages. */
    void reserveRoom(int messages) {
        held += messages;
    }

    /** Frees room of this many messages, promised or held. */
    void releaseRoom(int messages) {
        held -= messages;
    }

    /** Adds tasks for messages that a claim brought; their room is occupied since the claim was made. */
    <T> void add(WorkerSource<T> source, List<HeldMessage> messages) {
        for (int from = 0; from < messages.size(); from += source.spec.batch()) {
            int to = Math.min(messages.size(), from + source.spec.batch());
            waiting.add(new Task<>(source, List.copyOf(messages.subList(from, to))));
        }
    }

    /**
     * Moves the first waiting task to the running ones, and returns it; null if it cannot be started now. Tasks of a paused
     * queue are passed over.
     */
    @Nullable Task<?> startNext() {
        if (isolatedRuns || running.size() >= maxHandlers) {
            return null;
        }
        for (Task<?> task : waiting) {
            if (!task.source.consumers.watch().paused()) {
                boolean fits = runningMessages + task.size() <= concurrency && (!task.isolated || runningMessages == 0);
                if (!fits) {
                    return null;
                }
                waiting.remove(task);
                running.add(task);
                runningMessages += task.size();
                isolatedRuns = task.isolated;
                return task;
            }
        }
        return null;
    }

    /** A running task has ended. */
    void finished(Task<?> task) {
        running.remove(task);
        runningMessages -= task.size();
        held -= task.size();
        isolatedRuns = isolatedRuns && !task.isolated;
    }

    /** Removes and returns tasks that were not started. */
    List<Task<?>> removeWaiting(Predicate<Task<?>> which) {
        List<Task<?>> removed = new ArrayList<>();
        for (Task<?> task : List.copyOf(waiting)) {
            if (which.test(task) && waiting.remove(task)) {
                removed.add(task);
                held -= task.size();
            }
        }
        return removed;
    }

    /** All tasks, the running ones first. */
    List<Task<?>> all() {
        List<Task<?>> all = new ArrayList<>(running);
        all.addAll(waiting);
        return all;
    }

    Set<Task<?>> running() {
        return running;
    }

    int runningMessages() {
        return runningMessages;
    }

    int held() {
        return held;
    }
}
