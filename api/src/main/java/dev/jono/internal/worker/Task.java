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
 * Messages that a worker holds for one run of a handler: first waiting to be started, then running. The thread that
 * runs it can be interrupted until the handler has returned, and not after.
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

    /** What was handed to the handler; null before all of it is decoded. */
    @GuardedBy("lock") private @Nullable List<ReservationImpl<T>> reservations;

    /** Whether its thread has begun, or somebody gives all of it back. */
    @GuardedBy("lock") private boolean begun;

    /** Whether it was told of as one that does not end. */
    @GuardedBy("lock") private boolean told;

    private volatile long startedNanos;

    /** Whether {@link #startedNanos} is set: any number may be a time. */
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
     * Whether the caller is to give back all of it: once, before it begins.
     *
     * @return what to complete when that is stored, for the end of the worker waits for it; null for no
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

    /** Under the lock, so that the end of the worker cannot look between what is decided and what it is to wait for. */
    @GuardedBy("lock") private CompletableFuture<Void> settlement() {
        CompletableFuture<Void> owed = new CompletableFuture<>();
        source.addSettlement(owed);
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

    /** Interrupts the handler, if it runs; what interrupted it first is why it ends. */
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
            // A thread of the application's may have its own way to be interrupted.
            LOG.warn("a handler for queue '{}' could not be interrupted", source.queueName(), broken);
        } finally {
            lock.unlock();
        }
    }

    /** The thread of a handler that goes on though it was interrupted before; returned once, null otherwise. */
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

    /** What was handed to the handler; none before all of it is decoded. */
    List<ReservationImpl<T>> reservations() {
        lock.lock();
        try {
            return reservations == null ? List.of() : reservations;
        } finally {
            lock.unlock();
        }
    }

    /** What is to be kept alive: what the handler has not settled, unless it has run for too long, or was lost. */
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

    /** What the handler has not settled; all before it has begun. */
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

    /** How long it has been running; 0 before its start. */
    long runningNanos(long nowNanos) {
        return started ? nowNanos - startedNanos : 0;
    }
}
