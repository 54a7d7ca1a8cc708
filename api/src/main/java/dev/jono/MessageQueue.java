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
 * One queue. Cheap: a process may hold ten thousand; there is nothing to close. Thread-safe.
 *
 * <p><b>Calls.</b> Blocking forms block the calling thread until the storage has answered, at most for the operation
 * timeout (10 s unless set); then a mutating call is an {@link OutcomeUnknownException}, another a {@link
 * StorageException}. Only the waiting forms of pop and reserve are interruptible; in the others an interrupt stays
 * set and the call goes on. Async forms never block: where the engine's bounds are reached, their future fails with
 * {@link QueueFullException}. Futures complete on threads of the factory for users' code, never on the engine's. On a
 * closed factory every call is a {@link QueueClosedException}.
 *
 * <p><b>Order.</b> Mature messages leave in the order of maturity, ties in the order of insertion: exactly so for one
 * consumer and a producer that awaits each push or pushes lists; best effort under competition.
 *
 * @param <T> the payloads' type
 */
public interface MessageQueue<T> {
    /** Its name. */
    String name();

    /** The type of its backend, such as {@code memory}. */
    String backend();

    /** What it can do. */
    Set<Capability> capabilities();

    // ---- push -----------------------------------------------------------------------------------------------

    /** Stores a message, due at once. */
    PushResult push(T payload);

    /**
     * Stores a message.
     *
     * @throws NullPointerException if the payload is null
     * @throws PayloadTooLargeException if the encoded payload is over the limit
     * @throws EncodingException if the codec or an interceptor fails
     * @throws UnsupportedCapabilityException if it is to be due later and the backend cannot schedule
     * @throws StorageException if it was certainly not stored
     * @throws OutcomeUnknownException if that could not be told
     */
    PushResult push(T payload, PushOptions options);

    /** Stores a list of messages, due at once, in this order. */
    List<PushResult> pushAll(List<? extends T> payloads);

    /**
     * Stores a list of messages in this order; it is not one transaction.
     *
     * @return one result per payload, in order
     * @throws NullPointerException if the list holds a null; nothing is stored then
     * @throws PartialFailureException if some were not stored; it tells which, and why
     */
    List<PushResult> pushAll(List<? extends T> payloads, PushOptions options);

    /** {@link #push(Object)} as a future. */
    default CompletableFuture<PushResult> pushAsync(T payload) {
        return pushAsync(payload, PushOptions.none());
    }

    /** {@link #push(Object, PushOptions)} as a future. Cancelling it does not take the push back. */
    CompletableFuture<PushResult> pushAsync(T payload, PushOptions options);

    /** {@link #pushAll(List, PushOptions)} as a future. */
    CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options);

    // ---- pop and reserve ------------------------------------------------------------------------------------

    /**
     * Removes and returns the next message: at most once, for it is gone if this process dies.
     *
     * @param wait how long to wait for one; zero looks once
     * @return the message; empty when none came in time, or the wait was cancelled
     * @throws InterruptedException if the thread is interrupted; no message is lost
     * @throws UndecodableException if the payload cannot be decoded
     * @throws IllegalArgumentException if the wait is negative or absurd
     */
    Optional<Message<T>> pop(Duration wait) throws InterruptedException;

    /**
     * Removes and returns up to {@code max} messages, as soon as there is one.
     *
     * @return empty when none came in time. Those that cannot be decoded are left out and dealt with as {@link
     *     UndecodableException} says; when all were such, it is thrown for the first.
     */
    List<Message<T>> pop(int max, Duration wait) throws InterruptedException;

    /** {@link #pop(Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<Optional<Message<T>>> popAsync(Duration wait);

    /** {@link #pop(int, Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<List<Message<T>>> popAsync(int max, Duration wait);

    /**
     * Puts back popped messages that the application could not use after all, because a client is gone for example: with
     * their ids, due times and tries, to their old places as far as the backend's layout tells a place. Repeated until the
     * storage has it or the factory is closed. To be called once for each message, by the process that popped it.
     *
     * @param popped what {@code pop} of this queue returned
     * @throws IllegalArgumentException if one was not popped from this queue; nothing is put back then
     * @throws OutcomeUnknownException if the storage has not answered within the operation timeout; the messages go back
     *     as soon as it does
     */
    void restore(Collection<? extends Message<T>> popped);

    /** {@link #reserve(int, Duration, ReserveOptions)} for one message under the queue's lease. */
    Optional<Reservation<T>> reserve(Duration wait) throws InterruptedException;

    /** {@link #reserve(int, Duration, ReserveOptions)} under the queue's lease. */
    List<Reservation<T>> reserve(int max, Duration wait) throws InterruptedException;

    /**
     * Leases up to {@code max} messages to the caller, as soon as there is one. What is not settled before the lease
     * ends returns to the queue.
     *
     * @param max 1 or more; a message that killed its consumers before comes alone
     * @param wait how long to wait; zero looks once
     * @return empty when none came in time, or the wait was cancelled
     * @throws InterruptedException if the thread is interrupted; no message is lost
     * @throws UndecodableException if no payload of what came can be decoded
     * @throws UnsupportedCapabilityException if the backend cannot reserve
     */
    List<Reservation<T>> reserve(int max, Duration wait, ReserveOptions options) throws InterruptedException;

    /** {@link #reserve(Duration)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<Optional<Reservation<T>>> reserveAsync(Duration wait);

    /** {@link #reserve(int, Duration, ReserveOptions)} as a future; cancelling it ends the wait and loses no message. */
    CompletableFuture<List<Reservation<T>>> reserveAsync(int max, Duration wait, ReserveOptions options);

    /** Ends the waits of all pending pops and reserves of this object: they return empty. Returns how many there were. */
    int cancelAll();

    /**
     * The right to settle that a receipt stands for, in whichever process it was reserved.
     *
     * @throws IllegalArgumentException if the text is no receipt
     */
    Lease lease(String receipt);

    /**
     * Acks many reservations of this queue in few calls to the storage.
     *
     * @throws PartialFailureException if some were refused, stale ones for example; the others are acked
     */
    void ackAll(Collection<? extends Lease> leases);

    /** {@link #ackAll} as a future. */
    CompletableFuture<Void> ackAllAsync(Collection<? extends Lease> leases);

    // ---- look -----------------------------------------------------------------------------------------------

    /** How many messages there are: ready, scheduled and reserved, in one round trip. */
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

    /** Messages held under a lease. */
    default long reservedSize() {
        return counts().reserved();
    }

    /** Due time of the next message that nobody holds, perhaps past, by the storage's clock; empty when there is none. */
    Optional<Instant> nextMaturity();

    /** How long the longest ready message has been due; empty when none is ready. */
    Optional<Duration> oldestReadyAge();

    /**
     * Looks at messages without taking them, in the order of due times, the reserved among them.
     *
     * @param after the {@link BrowsedMessage#cursor()} of the last one seen; null for the beginning
     * @param limit 1 or more
     */
    List<BrowsedMessage<T>> browse(@Nullable String after, int limit);

    /** Looks at one message; empty when it is not in the queue. */
    Optional<BrowsedMessage<T>> get(String id);

    /** Removes a message by id, unless somebody holds it. */
    RemoveOutcome remove(String id);

    /** Removes all messages that nobody holds, the scheduled ones too; returns how many. */
    long purge();

    /**
     * Deletes the queue, which is over: its name, its history, its counters, the paused flag, and whatever else the storage
     * keeps of it. A queue that is not there is deleted already. Callers that wait for a message go on waiting, and a later
     * push, through this object or another, makes the queue anew.
     *
     * <p>A push of another process at the same time is not lost: either this is refused, or the message makes the queue anew.
     * The page of each backend says how, and what stays for some minutes. Another process that used the queue just before may
     * still add its last counts, within about 100 ms.
     *
     * @throws QueueNotEmptyException if it holds messages, whether ready, scheduled or reserved
     * @throws UnsupportedCapabilityException if the backend cannot delete queues
     */
    void delete();

    /**
     * Deletes the queue as {@link #delete()} does, and all its messages with it, the reserved ones too: who holds one finds it
     * gone. What is pushed at the same time may be deleted as well.
     *
     * @return how many messages were deleted
     */
    long deleteWithMessages();

    /**
     * Sends dead letters back to the queues they came from, with 0 tries and without the headers that dead-lettering
     * added. Call it on a dead-letter queue; what does not say where it came from stays.
     *
     * @param max how many at most
     * @return how many were sent back
     */
    long redrive(int max);

    /** {@link #redrive(int)} for all that are ready. */
    default long redrive() {
        return redrive(Integer.MAX_VALUE);
    }

    /** How many consumed messages are kept. */
    long historySize();

    /** Consumed messages that are kept, the latest first. */
    List<BrowsedMessage<T>> history(int limit);

    // ---- control --------------------------------------------------------------------------------------------

    /**
     * Stops consumption in every process that shares signaller and stats: no claim starts, nothing read ahead is
     * handed out. Waiting calls go on waiting; producers go on.
     */
    void pause();

    /** Ends a pause. */
    void resume();

    /** Whether the queue is paused, as the shared stats say. */
    boolean isPaused();

    /** The counters. */
    QueueStats stats();

    /**
     * Ends the use of this object: refuses new pushes, completes the pending ones, gives back what was read ahead, and
     * ends all waits. Other objects and processes are not concerned.
     *
     * @return whether all pending calls were completed in time
     */
    boolean drain(Duration timeout);
}
