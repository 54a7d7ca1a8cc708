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
 * The tasks of a worker, and its room for more. Room is counted in messages: those that were claimed and are not finished,
 * and those that are promised to claims in flight. It never exceeds concurrency and prefetch together. Guarded by the lock
 * of {@link WorkerState}.
 */
final class HeldTasks {
    private final int concurrency;
    private final int most;
    private final ArrayDeque<Task<?>> waiting = new ArrayDeque<>();
    private final Set<Task<?>> running = new HashSet<>();
    private int held;
    private int runningMessages;

    /** While an isolated task runs, no other task runs. */
    private boolean alone;

    HeldTasks(int concurrency, int prefetch) {
        this.concurrency = concurrency;
        this.most = concurrency + prefetch;
    }

    /**
     * How many messages may be claimed now. None while a message whose consumers have died waits or runs: a crash would
     * count for the other messages too.
     */
    int freeRoom() {
        boolean quarantined = alone || waiting.stream().anyMatch(task -> task.isolated);
        return quarantined ? 0 : most - held;
    }

    /** Reserves room for a claim that may bring up to this many messages. */
    void reserveRoom(int messages) {
        held += messages;
    }

    /** Frees the room of this many messages, promised or held. */
    void releaseRoom(int messages) {
        held -= messages;
    }

    /** Adds messages that a claim brought within its promise; they wait to be started. */
    <T> void add(WorkerSource<T> source, List<HeldMessage> messages) {
        for (int from = 0; from < messages.size(); from += source.spec.batch()) {
            int to = Math.min(messages.size(), from + source.spec.batch());
            waiting.add(new Task<>(source, List.copyOf(messages.subList(from, to))));
        }
    }

    /** Starts the first task that may be started; null for none. Tasks of a paused queue do not delay the others. */
    @Nullable Task<?> startNext() {
        if (alone) {
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
                alone = task.isolated;
                return task;
            }
        }
        return null;
    }

    void finished(Task<?> task) {
        running.remove(task);
        runningMessages -= task.size();
        held -= task.size();
        alone = alone && !task.isolated;
    }

    /** Takes out tasks that were not started. */
    List<Task<?>> takeBack(Predicate<Task<?>> which) {
        List<Task<?>> back = new ArrayList<>();
        for (Task<?> task : List.copyOf(waiting)) {
            if (which.test(task) && waiting.remove(task)) {
                back.add(task);
                held -= task.size();
            }
        }
        return back;
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
