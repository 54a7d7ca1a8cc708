package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a worker holds for one run of a handler: first waiting to be started, then running. The thread that
 * runs it can be interrupted until the handler has returned, and not after.
 */
final class Task<T> {
    final WorkerSource<T> source;
    final List<Delivered> delivered;
    final boolean isolated;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private @Nullable Thread thread;

    /** Why it was interrupted. */
    @GuardedBy("lock") private End end = End.NONE;

    @GuardedBy("lock") private List<ReservationImpl<T>> reservations = List.of();

    private volatile long startedNanos;

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

    Task(WorkerSource<T> source, List<Delivered> delivered) {
        this.source = source;
        this.delivered = delivered;
        // One that was retried until its last delivery is claimed alone, but has killed nobody.
        this.isolated =
                delivered.get(0).message.isolated() && delivered.get(0).message.expired();
    }

    int size() {
        return delivered.size();
    }

    /** The handler's thread begins; false if the task was ended before, and must not run. */
    boolean begin(long nowNanos) {
        lock.lock();
        try {
            startedNanos = nowNanos;
            if (end != End.NONE) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The handler has returned: no interrupt comes after this, and one that came is taken back. */
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

    void interrupt(End why) {
        lock.lock();
        try {
            if (end == End.NONE) {
                end = why;
            }
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    void hold(List<ReservationImpl<T>> decoded) {
        lock.lock();
        try {
            reservations = List.copyOf(decoded);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the caller is to settle a message: true once, for the handler's thread or for the one that stops the worker,
     * and only while neither the handler nor the loss of its lease has.
     */
    boolean settles(ReservationImpl<T> reservation) {
        lock.lock();
        try {
            if (reservation.isSettled() || reservation.delivered.lost()) {
                return false;
            }
            reservation.begin();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** What was handed to the handler. */
    List<ReservationImpl<T>> reservations() {
        lock.lock();
        try {
            return reservations;
        } finally {
            lock.unlock();
        }
    }

    /** What is still to be kept alive: all before the start, then what the handler has not settled. */
    List<Delivered> alive() {
        lock.lock();
        try {
            if (end != End.NONE) {
                return List.of();
            }
            return reservations.isEmpty()
                    ? delivered
                    : reservations.stream()
                            .filter(r -> !r.isSettled() && !r.delivered.lost())
                            .map(r -> r.delivered)
                            .toList();
        } finally {
            lock.unlock();
        }
    }

    /** How long it has been running; 0 before its start. */
    long runningNanos(long nowNanos) {
        return startedNanos == 0 ? 0 : nowNanos - startedNanos;
    }
}
