package dev.jono.backend.redisoq;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
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
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Deletion;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One queue. Each method runs one script, or several of the same kind; the head of a script describes its parameters. The engine
 * calls it on any thread. Methods never block, and results arrive on the connection's thread. Thread-safe.
 */
final class RedisOqQueue implements QueueStore {
    /** The backend's type in URLs and exceptions. */
    static final String TYPE = "redis-oq";

    private final RedisLink link;
    private final QueueKeys keys;
    private final String queue;
    private final Inserts inserts;
    private final Takes takes;
    private final Claims claims;
    private final Settlements settlements;
    private final Moves moves;
    private final Removals removals;
    private final Browses browses;
    private final Counts counts;

    /**
     * A queue over a connection.
     *
     * @param keysOf the keys of a queue by its name
     * @param markBytes the longest text that a claim marks as reserved for keuss
     */
    RedisOqQueue(RedisLink link, String queue, Function<String, QueueKeys> keysOf, int markBytes) {
        this.link = link;
        this.queue = queue;
        this.keys = keysOf.apply(queue);
        this.inserts = new Inserts(link, queue, keys);
        this.takes = new Takes(link, queue, keys);
        this.claims = new Claims(link, queue, keys, markBytes);
        this.settlements = new Settlements(link, queue, keys);
        this.moves = new Moves(link, queue, keysOf);
        this.removals = new Removals(link, queue, keys);
        this.browses = new Browses(link, queue, keys);
        this.counts = new Counts(link, queue, keys);
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        return inserts.insert(request);
    }

    @Override
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        return inserts.restore(request);
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        return takes.take(request);
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        return claims.claim(request);
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        return settlements.ack(request);
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        return settlements.release(request);
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        return settlements.extend(request);
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        return moves.move(request);
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        return removals.remove(request);
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            return CompletableFuture.failedFuture(
                    new UnsupportedCapabilityException("history", queue, TYPE, Capability.HISTORY));
        }
        return browses.browse(request);
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return counts.counts();
    }

    @Override
    public CompletionStage<Long> purge() {
        return removals.purge();
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        List<CallTokens> tokens = List.of(
                inserts.tokens(),
                settlements.tokens(),
                moves.tokens(),
                removals.tokens(),
                takes.tokens(),
                claims.tokens());
        return Deletion.run(link, Scripts.DELETE, queue, request, List.of(keys.all()), tokens);
    }
}
