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

    /** Whether this holder has begun to settle it, by ack, retry, release, reject or moveTo. */
    boolean isSettled();

    /** Calls {@link #retry()} unless {@link #isSettled()}. */
    @Override
    void close();
}
