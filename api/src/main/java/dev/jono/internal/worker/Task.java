package dev.jono.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.log.Log;
import dev.jono.internal.settle.ReservationImpl;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one run of a handler. A task waits in {@link HeldTasks} until it is started; then {@link TaskRunner} runs
 * the handler for its messages. The thread of the handler can be interrupted until the handler has returned, but not later.
 * Called on the thread of the handler, by the heartbeat, and by the caller that stops the worker. Thread-safe.
 */
final class Task<T> {
    private static final Log LOG = Log.named("dev.jono.worker");

    final WorkerSource<T> source;
    final List<HeldMessage> delivered;
    final boolean isolated;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private @Nullable Thread thread;

    /** Why it was interrupted, or was ended before its handler ran. */
    @GuardedBy("lock") private End end = End.NONE;

    /**
     * The decoded messages, also if the task was ended before its handler ran; null before decoding. Messages that cannot be
     * decoded are not among them: they are settled separately.
     */
    @GuardedBy("lock") private @Nullable List<ReservationImpl<T>> reservations;

    /** Whether a thread runs it or has run it, or all its messages are being given back. */
    @GuardedBy("lock") private boolean begun;

    /** Whether the log says that its handler does not end. */
    @GuardedBy("lock") private boolean reported;

    private volatile long startedNanos;

    /** Whether {@link #startedNanos} is set; any value of it can be a time. */
    private volatile boolean started;

    /** Why a task was ended. */
    enum End {
        /** It was not. */
        NONE,
        /** Its handler ran too long: its messages are retried. */
        RUNTIME,
        /** All its reservations are stale: none of its messages can be settled. */
        STALE,
        /** The worker is forced to stop: its messages are released. */
        STOP
    }

    Task(WorkerSource<T> source, List<HeldMessage> delivered) {
        this.source = source;
        this.delivered = delivered;
        // The storage hands out a message alone before its last delivery. That delivery alone is no sign of a crash.
        // Only if
        // its lease has expired too, it perhaps ended a consumer; then no other task of the worker runs next to it.
        this.isolated =
                delivered.get(0).message.isolated() && delivered.get(0).message.expired();
    }

    int size() {
        return delivered.size();
    }

    /**
     * Begins the task on the current thread.
     *
     * @return a future to complete when the messages are decoded, because the stop of the worker waits for it; null if the
     *     task was ended before and must not run
     */
    @Nullable CompletableFuture<Void> begin(long nowNanos) {
        lock.lock();
        try {
            startedNanos = nowNanos;
            started = true;
            if (begun || end != End.NONE) {
                return null;
            }
            begun = true;
            thread = Thread.currentThread();
            return addSettlement();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets one caller give back all messages of the task before it has begun.
     *
     * @return a future to complete when the give-back is stored, because the stop of the worker waits for it; null if the
     *     caller must not give the messages back
     */
    @Nullable CompletableFuture<Void> tryBeginReturn() {
        lock.lock();
        try {
            if (begun) {
                return null;
            }
            begun = true;
            return addSettlement();
        } finally {
            lock.unlock();
        }
    }

    /** Called with the lock held, so that the stop of the worker sees each settlement that it must wait for. */
    @GuardedBy("lock") private CompletableFuture<Void> addSettlement() {
        CompletableFuture<Void> settlement = new CompletableFuture<>();
        source.addSettlement(settlement);
        return settlement;
    }

    /** The handler has returned: {@link #interrupt} does not interrupt the thread after this. */
    End finish() {
        lock.lock();
        try {
            thread = null;
            if (end != End.NONE) {
                Thread.interrupted(); // clears the interrupt that this task set
            }
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the task, and interrupts the handler if it runs. Only the first reason is kept. */
    void interrupt(End why) {
        lock.lock();
        try {
            if (end == End.NONE) {
                end = why;
            }
            if (thread != null) {
                thread.interrupt();
            }
        } catch (Throwable broken) {
            // A thread of the application can override interrupt().
            LOG.warn("a handler for queue '{}' could not be interrupted", source.queueName(), broken);
        } finally {
            lock.unlock();
        }
    }

    /** The thread of a handler that was interrupted and still runs; null otherwise, and from the second call on. */
    @Nullable Thread stuckThread() {
        lock.lock();
        try {
            if (reported || end == End.NONE || thread == null) {
                return null;
            }
            reported = true;
            return thread;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the current thread runs it. */
    boolean runsHere() {
        lock.lock();
        try {
            return thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** Its messages are decoded. Returns false if the task was ended in between: then the handler must not run. */
    boolean setReservations(List<ReservationImpl<T>> decoded) {
        lock.lock();
        try {
            reservations = List.copyOf(decoded);
            return end == End.NONE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets one caller settle a message that the handler has not settled: the thread of the handler, or the one that stops the
     * worker.
     *
     * @return a future to complete when the settlement is stored, because the stop of the worker waits for it; null if the
     *     message is settled already, or its reservation is stale
     */
    @Nullable CompletableFuture<Void> tryBeginSettlement(ReservationImpl<T> reservation) {
        lock.lock();
        try {
            if (reservation.isSettled() || reservation.delivered.isStale()) {
                return null;
            }
            reservation.beginSettling();
            return addSettlement();
        } finally {
            lock.unlock();
        }
    }

    /** The decoded messages; none before decoding. */
    List<ReservationImpl<T>> reservations() {
        lock.lock();
        try {
            return reservations == null ? List.of() : reservations;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The messages whose leases are to be extended: those that are not settled and not stale. None if the task was ended.
     */
    List<HeldMessage> toExtend() {
        lock.lock();
        try {
            return end == End.NONE
                    ? unsettled().stream().filter(each -> !each.isStale()).toList()
                    : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** The messages that the handler has not settled; all of them before decoding. */
    List<HeldMessage> unsettled() {
        lock.lock();
        try {
            return reservations == null
                    ? delivered
                    : reservations.stream()
                            .filter(r -> !r.isSettled())
                            .map(r -> r.delivered)
                            .toList();
        } finally {
            lock.unlock();
        }
    }

    /** For how many nanoseconds the task has run; 0 before its start. */
    long runningNanos(long nowNanos) {
        return started ? nowNanos - startedNanos : 0;
    }
}
