package dev.jono.backend.postgres;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Decides when the claims of one queue look for messages whose leases have ended, although enough others are due: when the first
 * lease of this process may have ended, and every {@value #LONGEST_MILLIS} ms, because other processes may have shorter leases.
 * A claim that finds too few messages always looks. The index of held messages is left alone otherwise: at its beginning are the
 * entries of all messages that were acked since the last vacuum. Thread-safe.
 */
final class ExpiredLeases {
    private static final long LONGEST_MILLIS = 250;

    private final LongSupplier nanos;
    private final AtomicLong nextNanos;

    /** @param nanos the nanoseconds of a clock that does not go back */
    ExpiredLeases(LongSupplier nanos) {
        this.nanos = nanos;
        this.nextNanos = new AtomicLong(nanos.getAsLong());
    }

    /** Whether this claim has to look. Then the next look is due in {@value #LONGEST_MILLIS} ms. */
    boolean isDue() {
        long next = nextNanos.get();
        return nanos.getAsLong() - next >= 0 && nextNanos.compareAndSet(next, in(LONGEST_MILLIS));
    }

    /** A lease of this process starts; it may be the first to end. */
    void leaseStarted(long leaseMillis) {
        long end = in(leaseMillis);
        nextNanos.accumulateAndGet(end, (next, other) -> other - next < 0 ? other : next);
    }

    private long in(long millis) {
        return nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
