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
 * The messages of one run of a handler: they wait to be started, and then run. The thread that runs the handler can be
 * interrupted until the handler has returned, but not later. Thread-safe.
 */
final class Task<T> {
    private static final Log LOG = Log.named("dev.jono.worker");

    final WorkerSource<T> source;
    final List<HeldMessage> delivered;
    final boolean isolated;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private @Nullable Thread thread;

    /** Why it was interrupted. */
    @GuardedBy("lock") private End end = End.NONE;

    /** The messages that were handed to the handler; null before all of them are decoded. */
    @GuardedBy("lock") private @Nullable List<ReservationImpl<T>> reservations;

    /** Whether its thread has begun, or all of it is given back. */
    @GuardedBy("lock") private boolean begun;

    /** Whether it was reported as one that does not end. */
    @GuardedBy("lock") private boolean told;

    private volatile long startedNanos;

    /** Whether {@link #startedNanos} is set; no number stands for that. */
    private volatile boolean started;

    /** Why a handler was interrupted. */
    enum End {
        NONE,
        /** It ran too long: its messages are retried. */
        RUNTIME,
        /** All its leases were lost: nothing of it can be settled. */
        LOST,
        /** The worker is forced to stop: its messages are released. */
        STOP
    }

    Task(WorkerSource<T> source, List<HeldMessage> delivered) {
        this.source = source;
        this.delivered = delivered;
        // A message that comes alone for its last delivery has not ended a consumer unless its lease expired.
        this.isolated =
                delivered.get(0).message.isolated() && delivered.get(0).message.expired();
    }

    int size() {
        return delivered.size();
    }

    /**
     * The thread of the handler begins.
     *
     * @return a future to complete when it is known what is to be settled, because the end of the worker waits for it; null
     *     if the task was ended before and must not run
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
            return settlement();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets one caller give back the whole task before it has begun.
     *
     * @return a future to complete when that is stored, because the end of the worker waits for it; null if the caller must
     *     not give it back
     */
    @Nullable CompletableFuture<Void> claimReturn() {
        lock.lock();
        try {
            if (begun) {
                return null;
            }
            begun = true;
            return settlement();
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock, so that the end of the worker cannot miss what it must wait for. */
    @GuardedBy("lock") private CompletableFuture<Void> settlement() {
        CompletableFuture<Void> owed = new CompletableFuture<>();
        source.addSettlement(owed);
        return owed;
    }

    /** The handler has returned: no interrupt comes after this, and one that came is cleared. */
    End finish() {
        lock.lock();
        try {
            thread = null;
            if (end != End.NONE && Thread.interrupted()) {
                return end;
            }
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the handler if it runs. The first reason counts. */
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
            // A thread of the application may have its own way to be interrupted.
            LOG.warn("a handler for queue '{}' could not be interrupted", source.queueName(), broken);
        } finally {
            lock.unlock();
        }
    }

    /** The thread of a handler that was interrupted and has not ended; returned once, otherwise null. */
    @Nullable Thread stuck() {
        lock.lock();
        try {
            if (told || end == End.NONE || thread == null) {
                return null;
            }
            told = true;
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

    /** Its messages are decoded. Returns false if the task was ended meanwhile, so that the handler must not run. */
    boolean hold(List<ReservationImpl<T>> decoded) {
        lock.lock();
        try {
            reservations = List.copyOf(decoded);
            return end == End.NONE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets one caller settle a message: the thread of the handler, or the one that stops the worker. Only while the handler
     * has not settled the message and its lease is not lost.
     *
     * @return a future to complete when that is stored, because the end of the worker waits for it; null if the caller must
     *     not settle it
     */
    @Nullable CompletableFuture<Void> claimSettlement(ReservationImpl<T> reservation) {
        lock.lock();
        try {
            if (reservation.isSettled() || reservation.delivered.lost()) {
                return null;
            }
            reservation.begin();
            return settlement();
        } finally {
            lock.unlock();
        }
    }

    /** The messages that were handed to the handler; none before all of them are decoded. */
    List<ReservationImpl<T>> reservations() {
        lock.lock();
        try {
            return reservations == null ? List.of() : reservations;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The messages whose leases are to be extended: those that are not settled or lost, unless the handler was interrupted.
     */
    List<HeldMessage> alive() {
        lock.lock();
        try {
            return end == End.NONE
                    ? unsettled().stream().filter(each -> !each.lost()).toList()
                    : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** The messages that the handler has not settled; all before it has begun. */
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

    /** For how many nanoseconds it has run; 0 before its start. */
    long runningNanos(long nowNanos) {
        return started ? nowNanos - startedNanos : 0;
    }
}
