package dev.jono.backend.mongo;

import dev.jono.Capability;
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
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import java.util.Set;

/**
 * One queue: passes each call of the SPI to the class that implements it. Calls block the calling thread. Thread-safe.
 */
final class DocumentQueue implements BlockingQueueStore {
    private final String name;
    private final Set<Capability> capabilities;
    private final String backendType;
    private final Inserts inserts;
    private final Restores restores;
    private final Takes takes;
    private final Claims claims;
    private final Settlements settlements;
    private final Moves moves;
    private final Browses browses;
    private final Counts counts;
    private final Removals removals;
    private final Deletions deletions;

    DocumentQueue(
            QueueCollection queue, QueueCollections collections, Set<Capability> capabilities, String backendType) {
        this.name = queue.queueName;
        this.capabilities = capabilities;
        this.backendType = backendType;
        this.inserts = new Inserts(queue);
        this.restores = new Restores(queue);
        ClaimSteps steps = new ClaimSteps(queue);
        this.takes = new Takes(queue, steps);
        this.claims = new Claims(queue, steps);
        this.settlements = new Settlements(queue);
        this.moves = new Moves(queue, settlements, collections);
        this.browses = new Browses(queue);
        this.counts = new Counts(queue);
        this.removals = new Removals(queue);
        this.deletions = new Deletions(queue, collections.shared());
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        return inserts.insert(request);
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return takes.take(request);
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        return restores.restore(request);
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return claims.claim(request);
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        return settlements.ack(request);
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        return settlements.release(request);
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        return settlements.extend(request);
    }

    @Override
    public SettleResult move(MoveRequest request) {
        if (request.items().stream().anyMatch(item -> !item.toQueue().equals(name))) {
            // Without this capability the engine inserts into the target and then acks here.
            require(Capability.ATOMIC_MOVE, "a move between collections");
        }
        return moves.move(request);
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        return removals.remove(request);
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            require(Capability.HISTORY, "history");
        }
        return browses.browse(request);
    }

    private void require(Capability capability, String feature) {
        if (!capabilities.contains(capability)) {
            throw new UnsupportedCapabilityException(feature, name, backendType, capability);
        }
    }

    @Override
    public CountsResult counts(CountsRequest request) {
        return counts.counts(request.history());
    }

    @Override
    public long purge() {
        return removals.purge();
    }

    @Override
    public DeleteResult delete(DeleteRequest request) {
        return deletions.delete(request);
    }
}
