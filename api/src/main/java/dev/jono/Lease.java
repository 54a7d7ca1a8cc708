package dev.jono;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The right to settle one reserved message. A step takes effect only while the message is reserved by this holder;
 * otherwise it throws {@link StaleReservationException} and leaves the message as it is. When the lease has ended, other
 * consumers may claim the message; until one does, its holder can still settle or extend it.
 *
 * <p>Thread-safe. Blocking calls return when the storage has stored the step; an interrupt does not end them, and stays set.
 * They throw {@link StorageException} when the step was certainly not done, and {@link OutcomeUnknownException} when the
 * storage did not say so within the operation timeout. The futures of async calls fail with the same.
 */
public interface Lease {
    /** The message's id. */
    String id();

    /** The right as text; another process can use it by {@link MessageQueue#lease}. */
    String receipt();

    /** Ends the message as done: removes it, or moves it to the history. */
    void ack();

    /** Gives it back after the queue's backoff, and counts the delivery. After its last delivery it is dead-lettered. */
    RetryOutcome retry();

    /**
     * Gives it back after a delay, and counts the delivery. After its last delivery it is dead-lettered.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    RetryOutcome retry(Duration delay);

    /** As {@link #retry()}; if it is dead-lettered, {@link Headers#DL_ERROR} keeps the text of the error. */
    RetryOutcome retry(Throwable error);

    /**
     * Gives it back to its old place, and does not count the delivery. If the handler of a worker releases a message
     * repeatedly, and the message comes back to that worker within a second each time, the worker delays the message: for 200
     * ms, then twice as long each time, up to 10 s.
     */
    void release();

    /**
     * Gives it back after a delay, and does not count the delivery.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    void release(Duration delay);

    /** Moves it to the dead-letter queue at once; the reason is kept in {@link Headers#DL_ERROR}. */
    void reject(String reason);

    /**
     * Sets the end of the lease to this time from now, by the storage's clock.
     *
     * @throws IllegalArgumentException if the duration is negative, zero or longer than ten years
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
