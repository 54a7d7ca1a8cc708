package dev.jono.spi;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One queue in its storage: the dozen methods that a backend writes.
 *
 * <p>Rules that hold for every method, quoted by the contract tests:
 *
 * <ol>
 *   <li><b>Thread-safe, and never blocking.</b> A method returns at once; the stage completes when the storage
 *       has answered, on any thread, perhaps before the method returns. A driver that blocks implements {@link
 *       BlockingQueueStore} instead. The engine keeps one claim or take of a queue in flight per process, and
 *       one insert where order matters; settling calls overlap with all of them.
 *   <li><b>Complete means stored.</b> When the stage of a mutating call completes normally, its effect is as
 *       durable as the storage is set up to be, and visible to every client.
 *   <li><b>Items are independent.</b> A list is not one transaction: each item has its own outcome. A stage
 *       that fails says something of the whole call: {@link dev.jono.StorageException}: certainly nothing was
 *       done; {@link dev.jono.OutcomeUnknownException}: the storage may have done it. Driver exceptions are
 *       translated here, with cause, and without credentials.
 *   <li><b>The storage's clock</b> decides what is mature and when a lease ends; results carry its reading.
 *   <li><b>An expired lease makes a message claimable, not stale.</b> Until another claims, removes or moves
 *       it, its holder may still settle or extend it.
 *   <li><b>An empty list</b> in a request gives an empty result, without a call to the storage.
 *   <li>An operation that the backend does not declare among its capabilities fails with {@link
 *       dev.jono.UnsupportedCapabilityException}.
 * </ol>
 */
public interface QueueStore {
    /**
     * Stores messages, in their order: of messages due at the same time, the one stored first leaves first.
     * What is refused (too large, say) is refused per item.
     */
    CompletionStage<InsertResult> insert(InsertRequest request);

    /**
     * Removes and returns up to {@link ClaimRequest#max()} mature messages, earliest due first. What this
     * returns is gone from the storage. The isolation fields and the lease of the request are not read.
     */
    CompletionStage<ClaimResult> take(ClaimRequest request);

    /** Puts back what a take removed. A message whose id is live again already is left as it is. */
    CompletionStage<InsertResult> restore(RestoreRequest request);

    /**
     * Leases up to {@link ClaimRequest#max()} mature messages, earliest due first, to the caller alone, and
     * counts a delivery in each: the tries returned are those before this one. Needs {@code RESERVE}.
     */
    CompletionStage<ClaimResult> claim(ClaimRequest request);

    /** Ends reservations: the messages are consumed. Needs {@code RESERVE}. */
    CompletionStage<SettleResult> ack(SettleRequest request);

    /** Gives reserved messages back to the queue. Needs {@code RESERVE}. */
    CompletionStage<SettleResult> release(ReleaseRequest request);

    /** Sets the end of leases to the storage's present plus the given length. Needs {@code RESERVE}. */
    CompletionStage<SettleResult> extend(ExtendRequest request);

    /**
     * Moves reserved messages into other queues of this storage. Each move is one atomic step that keeps the
     * id. Called only for pairs that {@link Backend#movesAtomically} accepts. Needs {@code MOVE}.
     */
    CompletionStage<SettleResult> move(MoveRequest request);

    /** Removes messages by id unless they are held. A reservation that has expired holds nothing. Needs {@code REMOVE}. */
    CompletionStage<RemoveResult> remove(RemoveRequest request);

    /** Shows messages without taking them. Needs {@code BROWSE}; its history view needs {@code HISTORY}. */
    CompletionStage<BrowseResult> browse(BrowseRequest request);

    /** Counts the messages. */
    CompletionStage<CountsResult> counts(CountsRequest request);

    /** Removes all messages that nobody holds, the scheduled ones too; completes with their number. */
    CompletionStage<Long> purge();

    /**
     * Removes the queue with all that the storage keeps of it: its name, its history, whatever it needs beside its messages. A
     * queue that holds messages (ready, scheduled or reserved) is refused, unless they are to be deleted too. One that is not
     * there is deleted already. What is inserted afterwards, through any handle, makes the queue anew.
     *
     * <p>A message that another process inserts meanwhile is not deleted with a queue that was to be empty: where the storage
     * cannot check and remove in one step, the backend's page says what it does instead. What the storage remembers of calls
     * that may still be repeated stays until its own time is over. Repeating a delete is harmless, so it has no token. Needs
     * {@code DELETE}; this default is for backends without it.
     */
    default CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return CompletableFuture.failedFuture(
                new UnsupportedCapabilityException("delete", "?", getClass().getName(), Capability.DELETE));
    }
}
