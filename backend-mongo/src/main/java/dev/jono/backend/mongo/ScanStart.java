package dev.jono.backend.mongo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Where a search for what is due may begin. An index keeps the entries of deleted documents for a while, and a search from
 * its beginning walks over all of them; so a search begins at the last message that was taken. What lies below (an
 * insert that became visible late, a message given back) must still be found: a search that finds too little begins again
 * at the beginning, and once in a second all do. Thread-safe.
 */
final class ScanStart {
    private static final long WHOLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** From the beginning. */
    static final long BEGINNING = Long.MIN_VALUE;

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private long lastMillis = BEGINNING;

    @GuardedBy("lock") private long wholeNanos;

    /** Counts what was heard of messages below. */
    @GuardedBy("lock") private long resets;

    /**
     * Where a search begins.
     *
     * @param millis the due time to begin at
     * @param resets what was heard before it
     */
    record Position(long millis, long resets) {}

    ScanStart(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Where to begin. */
    Position position() {
        lock.lock();
        try {
            if (lastMillis != BEGINNING && nanos.getAsLong() - wholeNanos > WHOLE_NANOS) {
                lastMillis = BEGINNING;
            }
            return new Position(lastMillis, resets);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A search has found as many as it was to.
     *
     * @param from where it began; if something came below since, the next one begins at the beginning
     * @param toMillis the due time of the last that it found
     */
    void advance(Position from, long toMillis) {
        lock.lock();
        try {
            if (from.resets() != resets) {
                return;
            }
            if (from.millis() == BEGINNING) {
                wholeNanos = nanos.getAsLong();
            }
            lastMillis = toMillis;
        } finally {
            lock.unlock();
        }
    }

    /** Something may lie below; where to begin then. */
    @CanIgnoreReturnValue
    Position reset() {
        lock.lock();
        try {
            lastMillis = BEGINNING;
            return new Position(BEGINNING, ++resets);
        } finally {
            lock.unlock();
        }
    }
}
