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

/** One queue. */
final class MongoQueue implements BlockingQueueStore {
    private final QueueCollection queue;
    private final Inserts inserts;
    private final Claims claims;
    private final Settlements settlements;
    private final Moves moves;
    private final Counts counts;
    private final Removals removals;
    private final Deletions deletions;

    MongoQueue(QueueCollection queue) {
        this.queue = queue;
        this.inserts = new Inserts(queue);
        this.claims = new Claims(queue);
        this.settlements = new Settlements(queue);
        this.moves = new Moves(queue, settlements);
        this.counts = new Counts(queue);
        this.removals = new Removals(queue);
        this.deletions = new Deletions(queue);
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        return inserts.insert(request);
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return claims.take(request);
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        return inserts.restore(request);
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
        if (request.items().isEmpty()) {
            return SettleResult.builder().build();
        }
        return moves.move(request);
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        return removals.remove(request);
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY
                && !queue.backend.traits().capabilities().contains(Capability.HISTORY)) {
            throw new UnsupportedCapabilityException("history", queue.name, queue.backend.type(), Capability.HISTORY);
        }
        return counts.browse(request);
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
