package dev.jono.spi;

import dev.jono.Capability;
import dev.jono.Tx;
import dev.jono.UnsupportedCapabilityException;

/**
 * A {@link QueueStore} for a driver that blocks. Its methods and rules are the same, but a method returns when the
 * storage has answered, and throws where the stage would fail. {@link BlockingBackend} runs the methods on threads of the
 * factory, which no application can interrupt.
 */
public interface BlockingQueueStore {
    /** See {@link QueueStore#insert}. */
    InsertResult insert(InsertRequest request);

    /** See {@link QueueStore#insertInto}. */
    default InsertResult insertInto(Tx tx, InsertRequest request) {
        throw new UnsupportedCapabilityException(
                "push in a transaction", "?", getClass().getName(), Capability.TRANSACTION);
    }

    /** See {@link QueueStore#take}. */
    ClaimResult take(ClaimRequest request);

    /** See {@link QueueStore#restore}. */
    InsertResult restore(RestoreRequest request);

    /** See {@link QueueStore#claim}. */
    ClaimResult claim(ClaimRequest request);

    /** See {@link QueueStore#ack}. */
    SettleResult ack(SettleRequest request);

    /** See {@link QueueStore#release}. */
    SettleResult release(ReleaseRequest request);

    /** See {@link QueueStore#extend}. */
    SettleResult extend(ExtendRequest request);

    /** See {@link QueueStore#move}. */
    SettleResult move(MoveRequest request);

    /** See {@link QueueStore#makeKeyed}. */
    default void makeKeyed() {}

    /** See {@link QueueStore#remove}. */
    RemoveResult remove(RemoveRequest request);

    /** See {@link QueueStore#reschedule}. */
    default EditResult reschedule(RescheduleRequest request) {
        throw new UnsupportedCapabilityException("reschedule", "?", getClass().getName(), Capability.EDIT);
    }

    /** See {@link QueueStore#moveIdle}. */
    default EditResult moveIdle(MoveIdleRequest request) {
        throw new UnsupportedCapabilityException("moveIdle", "?", getClass().getName(), Capability.EDIT);
    }

    /** See {@link QueueStore#forget}. */
    default boolean forget(ForgetRequest request) {
        throw new UnsupportedCapabilityException("forget", "?", getClass().getName(), Capability.DEDUPLICATE);
    }

    /** See {@link QueueStore#browse}. */
    BrowseResult browse(BrowseRequest request);

    /** See {@link QueueStore#counts}. */
    CountsResult counts(CountsRequest request);

    /** See {@link QueueStore#purge}. */
    long purge();

    /** See {@link QueueStore#delete}. */
    default DeleteResult delete(DeleteRequest request) {
        throw new UnsupportedCapabilityException("delete", "?", getClass().getName(), Capability.DELETE);
    }
}
