package dev.jono.backend.mongo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The due time at which the next search for due messages starts. An index keeps the entries of deleted documents for a
 * while, and a search from its beginning walks over all of them. So a search starts at the last message that was
 * claimed. Messages with an earlier due time (an insert that became visible late, a message that was given back) must
 * still be found: a search that finds too few messages is repeated from the beginning, and once a second a search
 * starts there anyway. Thread-safe.
 */
final class ScanStart {
    private static final long FULL_SEARCH_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A search from the beginning. */
    static final long BEGINNING = Long.MIN_VALUE;

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private long lastMillis = BEGINNING;

    @GuardedBy("lock") private long fullSearchNanos;

    /** Counts the calls of {@link #reset}. */
    @GuardedBy("lock") private long resets;

    /**
     * The start of one search.
     *
     * @param millis the due time at which it starts
     * @param resets the number of resets before it
     */
    record Position(long millis, long resets) {}

    ScanStart(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The start of the next search. */
    Position position() {
        lock.lock();
        try {
            if (lastMillis != BEGINNING && nanos.getAsLong() - fullSearchNanos > FULL_SEARCH_NANOS) {
                lastMillis = BEGINNING;
            }
            return new Position(lastMillis, resets);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A search found all messages that it was asked for: the next one starts at the last of them.
     *
     * @param from the start of this search; if there was a reset since, the next search starts at the beginning
     * @param toMillis the due time of the last message that it found
     */
    void advance(Position from, long toMillis) {
        lock.lock();
        try {
            if (from.resets() != resets) {
                return;
            }
            if (from.millis() == BEGINNING) {
                fullSearchNanos = nanos.getAsLong();
            }
            lastMillis = toMillis;
        } finally {
            lock.unlock();
        }
    }

    /** There may be messages with earlier due times: the next search starts at the beginning, which this returns. */
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
