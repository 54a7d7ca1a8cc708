package dev.jono;

import java.time.Instant;

/**
 * A reserved message: the {@link Message}, and the {@link Lease} to settle it. Close retries a message that was not settled,
 * for use in try-with-resources. Thread-safe.
 *
 * <pre>{@code
 * try (Reservation<String> mail = mails.reserve(Duration.ofSeconds(10)).orElseThrow()) {
 *     System.out.println(mail.payload());
 *     mail.ack();
 * }
 * }</pre>
 *
 * @param <T> the payload's type
 */
public interface Reservation<T> extends Message<T>, Lease, AutoCloseable {
    @Override
    String id();

    /** When the lease ends, by the storage's clock, as far as this holder knows. {@link #extend} moves it. */
    Instant leaseEnd();

    /**
     * Whether the message may have been delivered before. False is certain: no consumer has held it, so no handler has begun. True after
     * a delivery that ended in any way, also in one that {@link #tries} does not count; after a move, redrive or restore; and where the
     * storage cannot tell.
     */
    boolean isRedelivered();

    /** Whether this holder has begun to settle it, by ack, retry, release, reject or moveTo. */
    boolean isSettled();

    /** Calls {@link #retry()} unless {@link #isSettled()}. */
    @Override
    void close();
}
