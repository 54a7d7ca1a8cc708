package dev.jono;

import java.time.Duration;
import java.util.Optional;

/** How to reserve messages. Immutable. */
public final class ReserveOptions {
    private static final ReserveOptions NONE = new ReserveOptions(Optional.empty());

    private final Optional<Duration> lease;

    private ReserveOptions(Optional<Duration> lease) {
        this.lease = lease;
    }

    /** With the lease of the queue. */
    public static ReserveOptions none() {
        return NONE;
    }

    /**
     * With a lease of this length.
     *
     * @throws IllegalArgumentException if it is shorter than a millisecond or longer than ten years
     */
    public static ReserveOptions lease(Duration lease) {
        if (Durations.check(lease, "lease").toMillis() < 1) {
            throw new IllegalArgumentException("lease must be at least a millisecond: " + Durations.format(lease));
        }
        return new ReserveOptions(Optional.of(lease));
    }

    /** The lease; empty for that of the queue. */
    public Optional<Duration> lease() {
        return lease;
    }
}
