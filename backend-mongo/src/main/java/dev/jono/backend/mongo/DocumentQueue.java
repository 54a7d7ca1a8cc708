package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.EditOutcome;
import dev.jono.RemoveOutcome;
import dev.jono.Tx;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.ForgetRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.util.Set;

/**
 * One queue: passes each call of the SPI to the class that implements it, for a keyed queue or another one. Calls block
 * the calling thread. Thread-safe.
 */
final class DocumentQueue implements BlockingQueueStore {
    private final String name;
    private final Set<Capability> capabilities;
    private final String backendType;
    private final KeyRouter router;

    DocumentQueue(
            QueueCollection queue,
            int maxPerKey,
            QueueCollections collections,
            Set<Capability> capabilities,
            String backendType) {
        this.name = queue.queueName;
        this.capabilities = capabilities;
        this.backendType = backendType;
        this.router = new KeyRouter(queue, maxPerKey, collections, capabilities.contains(Capability.KEYED));
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        return router.store(parts -> parts.inserts.insert(request));
    }

    @Override
    public InsertResult insertInto(Tx tx, InsertRequest request) {
        require(Capability.TRANSACTION, "push in a transaction");
        return router.store(parts -> parts.inserts.insertInto(tx, request));
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return router.handOut(parts -> parts.takes.take(request));
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        return router.restore(parts -> parts.restores.restore(request));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return router.handOut(parts -> parts.claims.claim(request));
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        return router.change(parts -> parts.settlements.ack(request), DocumentQueue::allDone);
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        return router.change(parts -> parts.settlements.release(request), DocumentQueue::allDone);
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        return router.change(parts -> parts.settlements.extend(request), DocumentQueue::allDone);
    }

    private static boolean allDone(SettleResult result) {
        return result.outcomes().stream().allMatch(outcome -> outcome == Outcome.DONE);
    }

    @Override
    public SettleResult move(MoveRequest request) {
        if (request.items().stream().anyMatch(item -> !item.toQueue().equals(name))) {
            // Without this capability the engine inserts into the target and then acks here.
            require(Capability.ATOMIC_MOVE, "a move between collections");
        }
        return router.change(parts -> parts.moves.move(request), DocumentQueue::allDone);
    }

    @Override
    public void makeKeyed() {
        router.makeKeyed();
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        return router.change(
                parts -> parts.removals.remove(request),
                result -> !result.outcomes().contains(RemoveOutcome.ABSENT));
    }

    @Override
    public EditResult reschedule(RescheduleRequest request) {
        require(Capability.EDIT, "reschedule");
        return router.change(
                parts -> parts.idle.reschedule(request),
                result -> !result.outcomes().contains(EditOutcome.ABSENT));
    }

    @Override
    public EditResult moveIdle(MoveIdleRequest request) {
        require(Capability.EDIT, "moveIdle");
        require(Capability.ATOMIC_MOVE, "moveIdle");
        return router.change(
                parts -> parts.idle.move(request), result -> !result.outcomes().contains(EditOutcome.ABSENT));
    }

    @Override
    public boolean forget(ForgetRequest request) {
        require(Capability.DEDUPLICATE, "forget");
        return router.uniqueKeys().forget(request);
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            require(Capability.HISTORY, "history");
        }
        return router.read(
                parts -> parts.browses.browse(request),
                result -> !result.messages().isEmpty());
    }

    private void require(Capability capability, String feature) {
        if (!capabilities.contains(capability)) {
            throw new UnsupportedCapabilityException(feature, name, backendType, capability);
        }
    }

    @Override
    public CountsResult counts(CountsRequest request) {
        return router.read(
                parts -> parts.counts.counts(request.history()),
                counts -> counts.ready() + counts.scheduled() + counts.reserved() + counts.blocked() > 0);
    }

    @Override
    public long purge() {
        return router.change(parts -> parts.removals.purge(), purged -> purged > 0);
    }

    @Override
    public DeleteResult delete(DeleteRequest request) {
        UniqueKeys uniqueKeys = capabilities.contains(Capability.DEDUPLICATE) ? router.uniqueKeys() : null;
        return router.delete(parts -> parts.deletions.delete(request, uniqueKeys));
    }
}
