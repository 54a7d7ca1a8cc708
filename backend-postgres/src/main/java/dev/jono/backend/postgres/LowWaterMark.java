package dev.jono.backend.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Where looks into an index of one queue begin, which is sorted by a time. At its beginning are the entries of all messages that
 * were claimed or acked since the last vacuum, and each look would walk over them. While a transaction is open anywhere in the
 * database, no vacuum removes them. So a look begins where earlier looks found the first message.
 *
 * <p>Messages can come to a place behind the mark: another process gives them back, or commits them late. Complete looks find
 * them. A look is complete unless the one before found enough messages and the last complete look was less than
 * {@value #BUSY_MILLIS} ms ago, or complete looks are slow: then they take at most a twentieth of the time, with pauses of {@value
 * #MAX_PAUSE_MILLIS} ms at most. Thread-safe.
 */
final class LowWaterMark {
    private static final long BUSY_MILLIS = 250;

    /** Complete looks that take this long are slow: thousands of entries are in the way. */
    private static final long SLOW_MILLIS = 5;

    private static final int PAUSE_PER_LOOK = 20;
    private static final long MAX_PAUSE_MILLIS = 5_000;

    /** The mark stays this far behind the present: as long as a push may take from its time to its commit. */
    static final long COMMIT_MILLIS = 100;

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private long mark;

    @GuardedBy("lock") private int lowered;

    @GuardedBy("lock") private boolean foundEnough;

    @GuardedBy("lock") private long completeAtNanos;

    /** The lengths of the last complete looks. One that the server was too busy for does not count. */
    @GuardedBy("lock") private long lastMillis;

    @GuardedBy("lock") private long lastButOneMillis;

    /** @param nanos the nanoseconds of a clock that does not go back */
    LowWaterMark(LongSupplier nanos) {
        this.nanos = nanos;
        this.completeAtNanos = nanos.getAsLong() - TimeUnit.MILLISECONDS.toNanos(BUSY_MILLIS);
    }

    /**
     * A look that begins.
     *
     * @param fromMillis the time in the index from which it looks; 0 if it is complete
     * @param lowered how often the mark was lowered before
     */
    record Look(long fromMillis, int lowered) {
        boolean complete() {
            return fromMillis == 0;
        }
    }

    Look begin() {
        lock.lock();
        try {
            long pause = Math.max(pauseMillis(), foundEnough ? BUSY_MILLIS : 0);
            return new Look(sinceComplete() < pause ? mark : 0, lowered);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A look has ended.
     *
     * @param firstMillis the time of the first message that it found; that of the server if it found none
     * @param nowMillis the time of the server
     * @param enough whether it found as many messages as it looked for
     * @param tookMillis how long it took
     */
    void end(Look look, long firstMillis, long nowMillis, boolean enough, long tookMillis) {
        lock.lock();
        try {
            foundEnough = enough;
            long next = Math.min(firstMillis, nowMillis - COMMIT_MILLIS);
            if (look.complete()) {
                completeAtNanos = nanos.getAsLong();
                lastButOneMillis = lastMillis;
                lastMillis = tookMillis;
            }
            if (look.lowered == lowered) {
                mark = look.complete() ? next : Math.max(mark, next);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A message with this time has come. */
    void lower(long millis) {
        lock.lock();
        try {
            lowered++;
            mark = Math.min(mark, millis);
        } finally {
            lock.unlock();
        }
    }

    /** How long complete looks have to wait because they are slow; 0 if they need not. */
    long millisUntilComplete() {
        lock.lock();
        try {
            return Math.max(0, pauseMillis() - sinceComplete());
        } finally {
            lock.unlock();
        }
    }

    /** Where to look apart from claims: everywhere, unless that is slow and was done a moment ago. */
    long fromMillis() {
        lock.lock();
        try {
            return sinceComplete() < pauseMillis() ? mark : 0;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private long pauseMillis() {
        long millis = Math.min(lastMillis, lastButOneMillis);
        return millis < SLOW_MILLIS ? 0 : Math.min(MAX_PAUSE_MILLIS, millis * PAUSE_PER_LOOK);
    }

    @GuardedBy("lock") private long sinceComplete() {
        return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - completeAtNanos);
    }
}
