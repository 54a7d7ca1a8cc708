package dev.jono;

import java.time.Instant;

/**
 * A message that is reserved: a {@link Message} and the {@link Lease} to settle it.
 *
 * @param <T> the payload's type
 */
public interface Reservation<T> extends Message<T>, Lease, AutoCloseable {
    @Override
    String id();

    /** When the lease ends, by the storage's clock, as far as this holder knows; extends move it. */
    Instant leaseEnd();

    /** Whether a settling step of this holder was begun: ack, retry, release, reject or moveTo. */
    boolean isSettled();

    /** Does {@link #retry()} unless a settling step was begun. */
    @Override
    void close();
}
