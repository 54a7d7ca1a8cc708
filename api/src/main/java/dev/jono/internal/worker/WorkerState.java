package dev.jono.internal.worker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.WorkerStatus;
import dev.jono.WorkerStatus.State;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.concurrent.UninterruptibleWait;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one worker holds, whose turn it is to claim, and whether it runs: a monitor around {@link HeldTasks},
 * {@link SourceTurns} and {@link WorkerPause}. Thread-safe; it calls nothing of the storage or the application with its lock
 * held. {@link #room} is called with the lock of a queue's waiters held, which therefore comes first.
 */
final class WorkerState {
    private final JonoClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when messages are no longer held. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final HeldTasks tasks;

    @GuardedBy("lock") private final SourceTurns turns;

    @GuardedBy("lock") private final WorkerPause pause = new WorkerPause();

    @GuardedBy("lock") private State state = State.RUNNING;

    WorkerState(JonoClock clock, WorkerLimits limits, List<WorkerSource<?>> sources) {
        this.clock = clock;
        this.tasks = new HeldTasks(limits.concurrency(), limits.prefetch());
        this.turns = new SourceTurns(sources, limits.strictOrder(), limits.concurrency(), limits.prefetch());
    }

    // ---- claims ---------------------------------------------------------------------------------------------

    /** How many messages a source may claim now; this room is promised to it until its claim ends. */
    int room(WorkerSource<?> source) {
        lock.lock();
        try {
            int free = tasks.freeRoom();
            if (state != State.RUNNING || free <= 0 || pause.isActive() || !turns.hasTurn(source)) {
                return 0;
            }
            int share = turns.takeTurn(source, free);
            tasks.reserveRoom(share);
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** A claim for a source has ended, and brought these messages; false if the worker takes none any more. */
    <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages) {
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, messages.size()));
            pause.claimAnswered();
            if (state != State.RUNNING) {
                tasks.releaseRoom(messages.size());
                changed.signalAll();
                return false;
            }
            source.held(messages.size());
            tasks.add(source, messages);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A claim for a source failed. Returns the pause in nanoseconds that begins now, if one does. */
    OptionalLong claimFailed(WorkerSource<?> source) {
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, 0));
            changed.signalAll();
            return mayPause() ? OptionalLong.of(pause.afterFailedClaim()) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    /** The executor refused a handler. Returns the pause in nanoseconds that begins now, if one does. */
    OptionalLong refused() {
        lock.lock();
        try {
            return mayPause() ? OptionalLong.of(pause.afterRefusal()) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean mayPause() {
        return state == State.RUNNING && !pause.isActive();
    }

    void endPause() {
        lock.lock();
        try {
            pause.end();
        } finally {
            lock.unlock();
        }
    }

    /** The executor runs a handler. */
    void executorRuns() {
        lock.lock();
        try {
            pause.executorRuns();
        } finally {
            lock.unlock();
        }
    }

    /** All sources, the next one to claim first. */
    List<WorkerSource<?>> inOrder() {
        lock.lock();
        try {
            return turns.inOrder();
        } finally {
            lock.unlock();
        }
    }

    // ---- tasks ----------------------------------------------------------------------------------------------

    /** Takes the next task to start; null if none may be started now. */
    @Nullable Task<?> startNext() {
        lock.lock();
        try {
            return state == State.RUNNING && !pause.isActive() ? tasks.startNext() : null;
        } finally {
            lock.unlock();
        }
    }

    void finished(Task<?> task) {
        lock.lock();
        try {
            tasks.finished(task);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes out tasks that were not started. */
    List<Task<?>> takeBack(Predicate<Task<?>> which) {
        lock.lock();
        try {
            return tasks.takeBack(which);
        } finally {
            lock.unlock();
        }
    }

    /** All tasks, the running ones first. */
    List<Task<?>> tasks() {
        lock.lock();
        try {
            return tasks.all();
        } finally {
            lock.unlock();
        }
    }

    /** The tasks whose handlers run. */
    List<Task<?>> running() {
        lock.lock();
        try {
            return List.copyOf(tasks.running());
        } finally {
            lock.unlock();
        }
    }

    /** What the worker does now, all of one moment. */
    WorkerStatus status(Predicate<Task<?>> isOvertime, HandledCounts counts) {
        lock.lock();
        try {
            int overtime = (int) tasks.running().stream().filter(isOvertime).count();
            return WorkerStatus.of(state, tasks.runningMessages(), overtime, counts.succeeded(), counts.failed());
        } finally {
            lock.unlock();
        }
    }

    // ---- life cycle -----------------------------------------------------------------------------------------

    /** Nothing is claimed or started from now on; false if the worker has stopped. */
    @CanIgnoreReturnValue
    boolean stopping() {
        lock.lock();
        try {
            if (state == State.STOPPED) {
                return false;
            }
            state = State.STOPPING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void stopped() {
        lock.lock();
        try {
            state = State.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no handler runs and no claim is in flight; an interrupt does not end the wait. A handler does not wait for
     * itself.
     *
     * @return whether none was left, not even the caller's own
     */
    boolean awaitNoneHeld(long deadlineNanos) {
        lock.lock();
        try {
            int own = tasks.running().stream()
                    .filter(Task::runsHere)
                    .mapToInt(Task::size)
                    .sum();
            return UninterruptibleWait.until(changed, clock, deadlineNanos, () -> held() <= own) && own == 0;
        } finally {
            lock.unlock();
        }
    }

    private int held() {
        lock.lock();
        try {
            return tasks.held();
        } finally {
            lock.unlock();
        }
    }
}
