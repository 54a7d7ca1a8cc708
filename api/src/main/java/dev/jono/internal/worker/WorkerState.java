package dev.jono.internal.worker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.WorkerStatus;
import dev.jono.WorkerStatus.State;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.concurrent.UninterruptibleWait;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one worker holds, which source can claim, and whether the worker runs: one lock around {@link HeldTasks}, {@link
 * SourceTurns} and {@link WorkerBackoff}. Called on the threads of handlers, the storage and timers, and by the caller that
 * stops the worker. With its lock held it calls neither the storage nor code of the application. {@link #room} is called with
 * the lock of {@link WaitingConsumers} held, so that lock is always taken first. Thread-safe.
 */
final class WorkerState {
    private final JonoClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when messages are no longer held. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final HeldTasks tasks;

    @GuardedBy("lock") private final SourceTurns turns;

    @GuardedBy("lock") private final WorkerBackoff backoff = new WorkerBackoff();

    @GuardedBy("lock") private State state = State.RUNNING;

    WorkerState(JonoClock clock, WorkerSettings settings, List<WorkerSource<?>> sources) {
        this.clock = clock;
        this.tasks = new HeldTasks(settings);
        this.turns = new SourceTurns(sources, settings.strictOrder(), settings.concurrency(), settings.prefetch());
    }

    // ---- claims ---------------------------------------------------------------------------------------------

    /** How many messages a source can claim now; this room is promised to it until its claim ends. */
    int room(WorkerSource<?> source) {
        lock.lock();
        try {
            int free = Math.min(tasks.freeRoom(), tasks.roomOfHandlers(source.spec.batch(), turns.promisedBatches()));
            if (state != State.RUNNING || free <= 0 || backoff.isWaiting() || !turns.hasTurn(source)) {
                return 0;
            }
            int share = turns.takeTurn(source, Math.min(free, source.mostPerClaim()));
            tasks.reserveRoom(share);
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** A claim for a source has ended, and brought these messages; false if the worker accepts none any more. */
    <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages) {
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, messages.size()));
            backoff.claimAnswered();
            if (state != State.RUNNING) {
                tasks.releaseRoom(messages.size());
                source.spec.gate().giveBack(messages.size());
                changed.signalAll();
                return false;
            }
            source.addHeld(messages.size());
            tasks.add(source, messages);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A claim for a source failed. Returns the wait that begins now; empty if the worker waits already, or stops. */
    Optional<WorkerBackoff.Wait> claimFailed(WorkerSource<?> source) {
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, 0));
            changed.signalAll();
            return mayBeginWait() ? Optional.of(backoff.afterFailedClaim()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** The executor refused a handler. Returns the wait that begins now; empty if the worker waits already, or stops. */
    Optional<WorkerBackoff.Wait> refused() {
        lock.lock();
        try {
            return mayBeginWait() ? Optional.of(backoff.afterRefusal()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean mayBeginWait() {
        return state == State.RUNNING && !backoff.isWaiting();
    }

    /** The time of a wait is over. */
    void endWait(WorkerBackoff.Wait wait) {
        lock.lock();
        try {
            backoff.end(wait);
        } finally {
            lock.unlock();
        }
    }

    /** The executor runs a handler. */
    void executorRuns() {
        lock.lock();
        try {
            backoff.executorRuns();
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

    /** Removes and returns the next task to start; null if none can be started now. */
    @Nullable Task<?> startNext() {
        lock.lock();
        try {
            return state == State.RUNNING && !backoff.isWaiting() ? tasks.startNext() : null;
        } finally {
            lock.unlock();
        }
    }

    /** A task has ended, or its messages are being given back: its room is free again. */
    void finished(Task<?> task) {
        lock.lock();
        try {
            tasks.finished(task);
            task.source.spec.gate().finished(task.size());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns tasks that were not started. */
    List<Task<?>> removeWaiting(Predicate<Task<?>> which) {
        lock.lock();
        try {
            List<Task<?>> removed = tasks.removeWaiting(which);
            removed.forEach(task -> task.source.spec.gate().giveBack(task.size()));
            return removed;
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

    /** What the worker does now. All numbers are of the same moment. */
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

    /** The worker claims and starts nothing from now on; false if it has stopped before. */
    @CanIgnoreReturnValue
    boolean beginStop() {
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

    /** The worker has stopped. */
    void endStop() {
        lock.lock();
        try {
            state = State.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the worker holds no message: no handler runs, and no claim is in flight. An interrupt does not end the wait.
     * A handler that stops its own worker does not wait for itself.
     *
     * @return whether the worker holds none; false at the deadline, and always if the caller is a handler of the worker
     */
    boolean awaitNoneHeld(long deadlineNanos) {
        lock.lock();
        try {
            int ofCaller = tasks.running().stream()
                    .filter(Task::runsHere)
                    .mapToInt(Task::size)
                    .sum();
            return UninterruptibleWait.until(changed, clock, deadlineNanos, () -> held() <= ofCaller) && ofCaller == 0;
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
