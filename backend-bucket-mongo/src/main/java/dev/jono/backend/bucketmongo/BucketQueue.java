package dev.jono.backend.bucketmongo;

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

/** The SPI's view of one queue: checks capabilities and delegates. Called on threads that may block. Thread-safe. */
final class BucketQueue implements BlockingQueueStore {
    private final BucketCollection collection;
    private final Inserts inserts;
    private final Restores restores;
    private final Claims claims;
    private final Takes takes;
    private final Settlements settlements;
    private final Releases releases;
    private final Moves moves;
    private final Removals removals;
    private final Counts counts;
    private final Browses browses;
    private final Deletions deletions;

    BucketQueue(BucketCollection collection) {
        ClaimAttempts attempts = new ClaimAttempts(collection);
        this.collection = collection;
        this.inserts = new Inserts(collection);
        this.restores = new Restores(collection);
        this.claims = new Claims(collection, attempts);
        this.takes = new Takes(collection, attempts);
        this.settlements = new Settlements(collection);
        this.releases = new Releases(collection, settlements);
        this.moves = new Moves(collection, settlements);
        this.removals = new Removals(collection);
        this.counts = new Counts(collection);
        this.browses = new Browses(collection);
        this.deletions = new Deletions(collection);
    }

    private void require(Capability capability, String operation) {
        if (!collection.context.profile().capabilities().contains(capability)) {
            throw new UnsupportedCapabilityException(
                    operation, collection.queueName, collection.context.type(), capability);
        }
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
        require(Capability.RESERVE, "reserve");
        return claims.claim(request);
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        require(Capability.RESERVE, "ack");
        return settlements.ack(request);
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        require(Capability.RESERVE, "release");
        return releases.release(request);
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        require(Capability.RESERVE, "extend");
        return settlements.extend(request);
    }

    @Override
    public SettleResult move(MoveRequest request) {
        require(Capability.MOVE, "move");
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

    @Override
    public CountsResult counts(CountsRequest request) {
        return counts.counts();
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
