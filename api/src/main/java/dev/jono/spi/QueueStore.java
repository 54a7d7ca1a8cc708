package dev.jono.spi;

import dev.jono.Capability;
import dev.jono.Tx;
import dev.jono.UnsupportedCapabilityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One queue in its storage. A backend implements these dozen methods.
 *
 * <p>These rules hold for every method; the contract tests check them:
 *
 * <ol>
 *   <li><b>Thread-safe, and never blocking.</b> A method returns at once, except {@link #insertInto}. Its stage completes when the storage has
 *       answered, on any thread, possibly before the method returns. A driver that blocks implements {@link
 *       BlockingQueueStore} instead. Per process and queue, the engine keeps one claim or take in flight, and one insert
 *       if order matters. Settling calls overlap with all of them.
 *   <li><b>Complete means stored.</b> When the stage of a mutating call completes normally, its effect is as durable as
 *       the storage is configured to be, and every client sees it.
 *   <li><b>Items are independent.</b> A list is not one transaction, and each item has its own outcome. A failed stage
 *       concerns the whole call. {@link dev.jono.StorageException} means that certainly nothing was done. {@link
 *       dev.jono.OutcomeUnknownException} means that the storage may have done it. The store translates exceptions of the
 *       driver into these two, with the cause, and without credentials.
 *   <li><b>The storage's clock decides</b> which messages are due and when a lease ends. The results have a reading of
 *       it.
 *   <li><b>The end of a lease makes a message claimable, not stale.</b> Until another consumer claims, removes or moves
 *       the message, its holder may still settle or extend it.
 *   <li><b>An empty list gives an empty result,</b> without a call to the storage. This holds for the messages, receipts,
 *       items and ids of a mutating request. The engine never sends an empty one.
 *   <li><b>Capabilities are checked.</b> A method whose capability the backend does not declare fails with {@link
 *       dev.jono.UnsupportedCapabilityException}.
 * </ol>
 */
public interface QueueStore {
    /**
     * Stores messages in the order of the list: of messages with equal due times, the first stored is handed out first. A
     * message that the storage refuses, for example because it is too large, fails alone.
     */
    CompletionStage<InsertResult> insert(InsertRequest request);

    /**
     * Stores messages as part of a transaction of the application, on its connection. The one method that may block: the
     * engine calls it on the thread of the application, which uses its connection there. It neither commits nor rolls back,
     * sends no signal ({@link InsertRequest#announce()} is false), and is never repeated: the token can be ignored. The
     * storage time of the result is that of the insert. Needs {@code TRANSACTION}; this default is for backends without it.
     *
     * @throws dev.jono.OtherStorageException if the transaction is on another storage; nothing was sent on its connection
     * @throws IllegalArgumentException if no transaction is open
     * @throws dev.jono.StorageException if the storage refuses the messages; the application then rolls back
     */
    default InsertResult insertInto(Tx tx, InsertRequest request) {
        throw new UnsupportedCapabilityException(
                "push in a transaction", "?", getClass().getName(), Capability.TRANSACTION);
    }

    /**
     * Removes and returns up to {@link ClaimRequest#max()} due messages, the earliest due time first. When the stage
     * completes, they are no longer in the storage. Does not read the request's lease and its isolation fields.
     */
    CompletionStage<ClaimResult> take(ClaimRequest request);

    /**
     * Puts back messages that a take removed: with the same id, and the due time and tries of the request. A message
     * keeps its old place if its due time is unchanged and the layout can store places. If the queue has a live message
     * of the same id already, that message stays unchanged, and the item succeeds.
     */
    CompletionStage<InsertResult> restore(RestoreRequest request);

    /**
     * Leases up to {@link ClaimRequest#max()} due messages to the caller alone, the earliest due time first. Counts a
     * delivery in each; the tries that it returns are those before this delivery. A message whose lease has ended is due
     * again, and its unsettled delivery counts. Needs {@code RESERVE}.
     */
    CompletionStage<ClaimResult> claim(ClaimRequest request);

    /** Ends reservations: removes their messages, or moves them to the history. Needs {@code RESERVE}. */
    CompletionStage<SettleResult> ack(SettleRequest request);

    /** Gives reserved messages back to the queue. Needs {@code RESERVE}. */
    CompletionStage<SettleResult> release(ReleaseRequest request);

    /**
     * Sets the end of leases to the present time of the storage's clock plus the given length. The receipts stay valid.
     * Needs {@code RESERVE}.
     */
    CompletionStage<SettleResult> extend(ExtendRequest request);

    /**
     * Moves reserved messages to other queues of this storage. Each move is one atomic step that keeps the id. The engine
     * calls it only for pairs of queues that {@link Backend#movesAtomically} accepts. Needs {@code MOVE}.
     */
    CompletionStage<SettleResult> move(MoveRequest request);

    /**
     * Makes the queue keyed, if this store was opened as keyed and the queue holds no messages; see {@link QueueSpec#maxPerKey}. A
     * queue that holds messages stays as it is. The engine calls it before it moves messages of another queue into this one.
     * This default is for backends without {@code KEYED}.
     */
    default CompletionStage<Void> makeKeyed() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Removes messages by id, unless they are reserved. A message whose lease has ended is not reserved. Needs {@code
     * REMOVE}.
     */
    CompletionStage<RemoveResult> remove(RemoveRequest request);

    /**
     * Gives messages another due time, unless they are reserved. A message whose lease has ended is not reserved; its tries
     * stay, and its old holder finds it stale. Needs {@code EDIT}; this default is for backends without it.
     */
    default CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        return CompletableFuture.failedFuture(
                new UnsupportedCapabilityException("reschedule", "?", getClass().getName(), Capability.EDIT));
    }

    /**
     * Moves messages into another queue of this storage, unless they are reserved. Each move is one atomic step. The
     * message keeps its id, payload and remaining headers. It has 0 tries and is due at once, unless the request {@linkplain
     * MoveIdleRequest#keepsTriesAndDue keeps} both. If the target has a live message of that id, this message stays
     * unchanged, and the one here is removed. The engine calls it only for pairs of queues that {@link
     * Backend#movesAtomically} accepts. Needs {@code EDIT}; this default is for backends without it.
     */
    default CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        return CompletableFuture.failedFuture(
                new UnsupportedCapabilityException("moveIdle", "?", getClass().getName(), Capability.EDIT));
    }

    /**
     * Ends the window of a unique key, if it belongs to the message of the request. Needs {@code DEDUPLICATE}; this default is
     * for backends without it.
     */
    default CompletionStage<Boolean> forget(ForgetRequest request) {
        return CompletableFuture.failedFuture(
                new UnsupportedCapabilityException("forget", "?", getClass().getName(), Capability.DEDUPLICATE));
    }

    /** Reads messages without taking them. Needs {@code BROWSE}; the view of the history also needs {@code HISTORY}. */
    CompletionStage<BrowseResult> browse(BrowseRequest request);

    /** Counts the messages by state, in one round trip. */
    CompletionStage<CountsResult> counts(CountsRequest request);

    /** Removes all messages that are not reserved, including scheduled ones. Completes with their number. */
    CompletionStage<Long> purge();

    /**
     * Removes the queue with everything that the storage keeps of it: its name, its history, and all other data. A queue
     * that holds messages (ready, scheduled or reserved) is refused, unless the request says to delete them too. Deleting
     * a queue that does not exist succeeds. A later insert, through any store object, creates the queue again.
     *
     * <p>A message that another process inserts at the same time is not lost, unless the request deletes messages. If the
     * storage cannot check and remove in one step, the page of the backend says what the backend does instead. The
     * results of calls that may be repeated stay for their usual time.
     *
     * <p>A repeated delete does no harm, so the request has no token. Needs {@code DELETE}; this default is for backends
     * without it.
     */
    default CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return CompletableFuture.failedFuture(
                new UnsupportedCapabilityException("delete", "?", getClass().getName(), Capability.DELETE));
    }
}
