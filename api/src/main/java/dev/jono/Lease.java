package dev.jono;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The right to settle one reserved message. Each step acts only while the reservation is still this holder's, and is
 * otherwise a {@link StaleReservationException} that leaves the message untouched. A lease that has ended makes the
 * message claimable, not stale: until another claims it, its holder may still settle or extend.
 *
 * <p>Thread-safe. Blocking forms return when the step is stored; an interrupt does not end them, and stays set. They
 * throw {@link StorageException} when the step was certainly not done, {@link OutcomeUnknownException} when that
 * could not be told within the operation timeout. Async forms complete exceptionally with the same.
 */
public interface Lease {
    /** The message's id. */
    String id();

    /** The right itself, as text: may be written down and used from another process ({@link MessageQueue#lease}). */
    String receipt();

    /** The message is done: removes it, or makes it history. */
    void ack();

    /** Gives it back after the queue's backoff, and counts the delivery. The last delivery ends in the dead letter. */
    RetryOutcome retry();

    /**
     * Gives it back after a delay, and counts the delivery. The last delivery ends in the dead letter.
     *
     * @throws IllegalArgumentException if the delay is negative or absurd
     */
    RetryOutcome retry(Duration delay);

    /** As {@link #retry()}; if it ends in the dead letter, the error's text is kept there. */
    RetryOutcome retry(Throwable error);

    /**
     * Gives it back to its old place, and does not count the delivery. A message that a worker's handler releases again and
     * again, and that comes back to that worker within a second each time, is held back before its next delivery there: for
     * 200 ms, then twice as long each time, up to 10 s.
     */
    void release();

    /**
     * Gives it back after a delay, and does not count the delivery.
     *
     * @throws IllegalArgumentException if the delay is negative or absurd
     */
    void release(Duration delay);

    /** Moves it to the dead-letter queue at once; the reason is kept in {@link Headers#DL_ERROR}. */
    void reject(String reason);

    /**
     * Sets the end of the lease to this time from now, by the storage's clock.
     *
     * @throws IllegalArgumentException if the duration is negative, zero or absurd
     */
    void extend(Duration lease);

    /** Moves it to another queue of this factory, due at once, with 0 tries; the same id where the storage allows. */
    void moveTo(String queue);

    /** {@link #ack()} as a future. */
    CompletableFuture<Void> ackAsync();

    /** {@link #retry()} as a future. */
    CompletableFuture<RetryOutcome> retryAsync();

    /** {@link #retry(Duration)} as a future. */
    CompletableFuture<RetryOutcome> retryAsync(Duration delay);

    /** {@link #release(Duration)} as a future. */
    CompletableFuture<Void> releaseAsync(Duration delay);

    /** {@link #reject(String)} as a future. */
    CompletableFuture<Void> rejectAsync(String reason);

    /** {@link #extend(Duration)} as a future. */
    CompletableFuture<Void> extendAsync(Duration lease);

    /** {@link #moveTo(String)} as a future. */
    CompletableFuture<Void> moveToAsync(String queue);
}
