package dev.jono;

import java.time.Duration;
import java.util.Optional;

/** On what terms to reserve. Immutable. */
public final class ReserveOptions {
    private static final ReserveOptions NONE = new ReserveOptions(Optional.empty());

    private final Optional<Duration> lease;

    private ReserveOptions(Optional<Duration> lease) {
        this.lease = lease;
    }

    /** The queue's own terms. */
    public static ReserveOptions none() {
        return NONE;
    }

    /**
     * Under a lease of this length.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or absurd
     */
    public static ReserveOptions lease(Duration lease) {
        if (Durations.check(lease, "lease").toMillis() < 1) {
            throw new IllegalArgumentException("lease must be at least a millisecond: " + Durations.format(lease));
        }
        return new ReserveOptions(Optional.of(lease));
    }

    /** The lease; empty for the queue's. */
    public Optional<Duration> lease() {
        return lease;
    }
}
