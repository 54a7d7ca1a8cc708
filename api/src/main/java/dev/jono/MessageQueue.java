package dev.jono;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A queue of messages in a storage. A queue object is cheap and needs no close: a process may hold ten thousand. Thread-safe.
 *
 * <table>
 * <caption>What it offers</caption>
 * <tr><td>Push</td><td>{@link #push(Object) push}, {@link #pushAll(List) pushAll}</td></tr>
 * <tr><td>Receive</td><td>{@link #pop(Duration) pop}, {@link #reserve(Duration) reserve}, {@link #ackAll ackAll}; a {@link
 *     Worker} for handlers</td></tr>
 * <tr><td>Look</td><td>{@link #counts counts}, {@link #browse browse}, {@link #get get}, {@link #stats stats}, {@link #history
 *     history}</td></tr>
 * <tr><td>Control</td><td>{@link #pause pause}, {@link #remove remove}, {@link #purge purge}, {@link #delete delete}, {@link
 *     #redrive(int) redrive}, {@link #drain drain}</td></tr>
 * </table>
 *
 * <pre>{@code
 * MessageQueue<String> mails = jono.queue("mails", String.class);
 * mails.push("welcome ada@example.org");
 * try (Reservation<String> mail = mails.reserve(Duration.ofSeconds(10)).orElseThrow()) {
 *     System.out.println(mail.payload());
 *     mail.ack();
 * }
 * }</pre>
 *
 * <p><b>Calls.</b> A blocking call returns when the storage has answered. It waits for the operation timeout at most, 10 s
 * unless set; then a call that changes something throws {@link OutcomeUnknownException}, any other {@link
 * StorageException}. Only {@code pop} and {@code reserve} can be interrupted; in other calls an interrupt stays set and the
 * call continues. Async calls never block: where too many calls are pending, their future fails with {@link
 * QueueFullException}. Futures complete on the factory's threads for the application's code, or on its executor. After the
 * factory was closed, every call throws {@link QueueClosedException}.
 *
 * <p><b>Order.</b> Messages are handed out in the order of their due times, and those with equal due times in the order in
 * which they were pushed. That is exact for one consumer and a producer that awaits each push or pushes lists; with several
 * consumers or producers it is best effort.
 *
 * @param <T> the payloads' type
 */
public interface MessageQueue<T> {
    /** Its name. */
    String name();

    /**
     * The queue of the factory. An object that wraps a queue, to do more at some calls, returns that queue, so that workers and pipelines
     * can use it.
     */
    default MessageQueue<T> unwrapped() {
        return this;
    }

    /** The type of its backend, such as {@code memory}. */
    String backend();

    /** What its backend can do; a call that needs more throws {@link UnsupportedCapabilityException}. */
    Set<Capability> capabilities();

    // ---- push -----------------------------------------------------------------------------------------------

    /** Stores a message, due at once. */
    default PushResult push(T payload) {
        return push(payload, PushOptions.none());
    }

    /**
     * Stores a message.
     *
     * @throws NullPointerException if the payload is null
     * @throws PayloadTooLargeException if the encoded payload is over the limit
     * @throws EncodingException if the codec or an interceptor fails
     * @throws UnsupportedCapabilityException if it is to be due later and the backend cannot schedule
     * @throws StorageException if it was certainly not stored
     * @throws OutcomeUnknownException if the storage did not say whether it was stored
     */
    PushResult push(T payload, PushOptions options);

    /** Stores a list of messages, due at once, in this order. */
    default List<PushResult> pushAll(List<? extends T> payloads) {
        return pushAll(payloads, PushOptions.none());
    }

    /**
     * Stores a list of messages in this order; it is not one transaction.
     *
     * @return one result per payload, in order
     * @throws NullPointerException if the list holds a null; nothing is stored then
     * @throws PartialFailureException if some were not stored; it says which, and why
     */
    List<PushResult> pushAll(List<? extends T> payloads, PushOptions options);

    /** {@link #push(Object)} as a future. */
    default CompletableFuture<PushResult> pushAsync(T payload) {
        return pushAsync(payload, PushOptions.none());
    }

    /** {@link #push(Object, PushOptions)} as a future. Cancelling the future does not take the push back. */
    CompletableFuture<PushResult> pushAsync(T payload, PushOptions options);

    /** {@link #pushAll(List, PushOptions)} as a future. */
    CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options);

    // ---- pop and reserve ------------------------------------------------------------------------------------

    /**
     * Removes and returns the next message. Delivery is at most once: the message is lost if this process dies.
     *
     * @param wait how long to wait for a message; zero looks once
     * @return the message; empty when none came in time, or the wait was cancelled
     * @throws InterruptedException if the thread is interrupted; no message is lost
     * @throws UndecodableException if the payload cannot be decoded
     * @throws IllegalArgumentException if the wait is negative or longer than ten years
     */
    default Optional<Message<T>> pop(Duration wait) throws InterruptedException {
        return pop(1, wait).stream().findFirst();
    }

    /**
     * Removes and returns up to {@code max} messages, as soon as there is at least one.
     *
     * @return empty when none came in time. A message that cannot be decoded is left out and treated as {@link
     *     UndecodableException} says; when none can be decoded, that exception is thrown for the first.
     */
    List<Message<T>> pop(int max, Duration wait) throws InterruptedException;

    /** {@link #pop(Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<Optional<Message<T>>> popAsync(Duration wait);

    /** {@link #pop(int, Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<List<Message<T>>> popAsync(int max, Duration wait);

    /**
     * Puts back popped messages that the application cannot use after all, for example because its client has disconnected.
     * They keep their ids, due times and tries, and their old places as far as the backend stores places. Repeated until the
     * storage has them or the factory is closed. Call it once for each message, in the process that popped it.
     *
     * @param popped what {@code pop} of this queue returned
     * @throws IllegalArgumentException if one was not popped from this queue; nothing is put back then
     * @throws OutcomeUnknownException if the storage has not answered within the operation timeout; the messages go back
     *     as soon as it does
     */
    void restore(Collection<? extends Message<T>> popped);

    /** {@link #reserve(int, Duration, ReserveOptions)} for one message under the queue's lease. */
    default Optional<Reservation<T>> reserve(Duration wait) throws InterruptedException {
        return reserve(1, wait).stream().findFirst();
    }

    /** {@link #reserve(int, Duration, ReserveOptions)} under the queue's lease. */
    default List<Reservation<T>> reserve(int max, Duration wait) throws InterruptedException {
        return reserve(max, wait, ReserveOptions.none());
    }

    /**
     * Leases up to {@code max} messages to the caller, as soon as there is at least one. A message that is not settled before
     * its lease ends returns to the queue.
     *
     * @param max 1 or more; a message whose consumers have died before comes alone
     * @param wait how long to wait for a message; zero looks once
     * @return empty when none came in time, or the wait was cancelled
     * @throws InterruptedException if the thread is interrupted; no message is lost
     * @throws UndecodableException if messages came, and no payload of them can be decoded
     * @throws UnsupportedCapabilityException if the backend cannot reserve
     */
    List<Reservation<T>> reserve(int max, Duration wait, ReserveOptions options) throws InterruptedException;

    /** {@link #reserve(Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<Optional<Reservation<T>>> reserveAsync(Duration wait);

    /** {@link #reserve(int, Duration, ReserveOptions)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<List<Reservation<T>>> reserveAsync(int max, Duration wait, ReserveOptions options);

    /** Ends all pending pops and reserves of this object: they return empty. Returns how many there were. */
    int cancelAll();

    /**
     * The right to settle a message that was reserved in this or another process.
     *
     * @param receipt of the reservation ({@link Lease#receipt})
     * @throws IllegalArgumentException if the text is no receipt
     */
    Lease lease(String receipt);

    /**
     * Acks many reservations of this queue in few calls to the storage.
     *
     * @throws PartialFailureException if some were refused, for example as stale; the others are acked
     */
    void ackAll(Collection<? extends Lease> leases);

    /** {@link #ackAll} as a future. */
    CompletableFuture<Void> ackAllAsync(Collection<? extends Lease> leases);

    // ---- look -----------------------------------------------------------------------------------------------

    /** How many messages there are, ready, scheduled and reserved, and how old the oldest is, in one round trip. */
    QueueCounts counts();

    /** Messages that may be handed out now. */
    default long size() {
        return counts().ready();
    }

    /** All messages. */
    default long totalSize() {
        return counts().total();
    }

    /** Messages that wait for their due time. */
    default long scheduledSize() {
        return counts().scheduled();
    }

    /** Messages that are reserved. */
    default long reservedSize() {
        return counts().reserved();
    }

    /** Due time, by the storage's clock, of the next message that is not reserved; it may be past. Empty when there is none. */
    Optional<Instant> nextMaturity();

    /** How long the longest ready message has been due; empty when none is ready. */
    Optional<Duration> oldestReadyAge();

    /**
     * Reads messages without taking them, in the order of their due times, reserved ones included. A page with fewer messages than the
     * limit is the last one.
     *
     * @param after the {@link BrowsedMessage#cursor()} of the last message seen; null for the beginning
     * @param limit 1 or more
     */
    List<BrowsedMessage<T>> browse(@Nullable String after, int limit);

    /** Reads one message without taking it; empty when it is not in the queue. */
    Optional<BrowsedMessage<T>> get(String id);

    /** Removes a message by id, unless it is reserved. */
    RemoveOutcome remove(String id);

    /**
     * Gives a message that no consumer holds another due time, by the storage's clock.
     *
     * @param dueAt from 1970 to 9999; a time in the past makes it due at once, before messages with later due times
     * @throws UnsupportedCapabilityException if the backend cannot edit messages
     */
    EditOutcome reschedule(String id, Instant dueAt);

    /** As {@link #reschedule(String, Instant)}, with a delay from now; zero makes the message due at once. */
    EditOutcome reschedule(String id, Duration delay);

    /**
     * Moves a message that no consumer holds into another queue of this storage, in one atomic step. It keeps its id, payload and
     * headers, has 0 tries, and is due at once. A dead letter loses the headers that dead-lettering added, so that this is
     * {@link #redrive(int)} of one message into any queue.
     *
     * @throws UnsupportedCapabilityException if the backend cannot edit messages, or cannot move between these two queues in
     *     one step
     * @throws IllegalArgumentException if {@code toQueue} is this queue, or not a name of a queue
     */
    EditOutcome moveIdle(String id, String toQueue);

    /**
     * Ends the window of a unique key ({@link PushOptions#unique(String, Duration)}), so that the next push under it is stored.
     * Does nothing if the window has ended, or belongs to another message by now.
     *
     * @param id of the message that was stored under the key
     * @throws UnsupportedCapabilityException if the backend has no unique keys
     */
    void forget(String key, String id);

    /** As {@link #forget(String, String)}, for a key with a scope. */
    void forget(String scope, String key, String id);

    /** Removes all messages that are not reserved, scheduled ones included; returns how many. */
    long purge();

    /**
     * Deletes the queue: its name, its history, its counters, its paused flag, and whatever else the storage keeps of it.
     * Deleting a queue that does not exist does nothing. Callers that wait for a message continue to wait. A later push,
     * through this object or another, creates the queue again.
     *
     * <p>A concurrent push of another process is not lost: either this call is refused, or the message creates the queue
     * again. The page of each backend says what the storage keeps for some minutes. Another process that used the queue just
     * before may still add its last counts, within about 100 ms.
     *
     * @throws QueueNotEmptyException if it holds messages, whether ready, scheduled or reserved
     * @throws UnsupportedCapabilityException if the backend cannot delete queues
     */
    void delete();

    /**
     * Deletes the queue as {@link #delete()} does, and all its messages with it, reserved ones included: their holders find
     * them gone. A message that is pushed at the same time may be deleted as well.
     *
     * @return how many messages were deleted
     */
    long deleteWithMessages();

    /**
     * Sends dead letters back to the queues they came from, with 0 tries and without the headers that dead-lettering
     * added. Call it on a dead-letter queue. A message without the name of the queue it came from stays.
     *
     * @param max the maximum number of messages to send back
     * @return how many were sent back
     */
    long redrive(int max);

    /** {@link #redrive(int)} for all that are ready. */
    default long redrive() {
        return redrive(Integer.MAX_VALUE);
    }

    /** How many consumed messages the history holds. */
    long historySize();

    /** Consumed messages of the history, the latest first. */
    List<BrowsedMessage<T>> history(int limit);

    // ---- control --------------------------------------------------------------------------------------------

    /**
     * Stops consumption in every process that shares the signaller and the stats: no claim starts, and no message that was
     * read ahead is handed out. Waiting calls continue to wait, and producers continue to push.
     */
    void pause();

    /** Ends a pause. */
    void resume();

    /** Whether the queue is paused, as the shared stats say. */
    boolean isPaused();

    /** The counters. */
    QueueStats stats();

    /**
     * Ends the use of this object: refuses new pushes, completes the pending ones, gives back messages that workers have read
     * ahead, and ends all waits. Other queue objects and other processes are not affected.
     *
     * @return whether all pending calls were completed in time
     */
    boolean drain(Duration timeout);
}
