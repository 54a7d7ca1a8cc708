package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    /** Whether its thread has begun, or somebody gives all of it back. */
    @GuardedBy("lock") private boolean begun;

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

    /**
     * The handler's thread begins.
     *
     * @return what to complete when it is known what is to be settled, for the end of the worker waits for it; null if the
     *     task was ended before, and must not run
     */
    @Nullable CompletableFuture<Void> begin(long nowNanos) {
        lock.lock();
        try {
            startedNanos = nowNanos;
            if (begun || end != End.NONE) {
                return null;
            }
            begun = true;
            thread = Thread.currentThread();
            return owed();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the caller is to give back all of it: once, before it begins.
     *
     * @return what to complete when that is stored, for the end of the worker waits for it; null for no
     */
    @Nullable CompletableFuture<Void> returns() {
        lock.lock();
        try {
            if (begun) {
                return null;
            }
            begun = true;
            return owed();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, so that the end of the worker cannot look between what is decided and what it is to wait for. */
    @GuardedBy("lock") private CompletableFuture<Void> owed() {
        CompletableFuture<Void> owed = new CompletableFuture<>();
        source.settling(owed);
        return owed;
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

    /** It was decoded; false if the task has been ended meanwhile, and the handler must not run. */
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
     * Whether the caller is to settle a message: true once, for the handler's thread or for the one that stops the worker,
     * and only while neither the handler nor the loss of its lease has.
     *
     * @return what to complete when that is stored, for the end of the worker waits for it; null for no
     */
    @Nullable CompletableFuture<Void> settles(ReservationImpl<T> reservation) {
        lock.lock();
        try {
            if (reservation.isSettled() || reservation.delivered.lost()) {
                return null;
            }
            reservation.begin();
            return owed();
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
