package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;

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
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Deletion;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The calls on one queue in one layout. Each runs one script, or several of the same kind; the head of a script describes its
 * parameters. {@link RedisOqQueue} calls it on any thread. Methods never block, and results arrive on the connection's thread.
 * Thread-safe.
 */
final class QueueCalls implements QueueStore {
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
    private final Edits edits;

    /**
     * The calls over a connection.
     *
     * @param targets the keys of other queues by their names, in any layout
     * @param markBytes the longest text that a claim marks as reserved for keuss
     */
    QueueCalls(RedisLink link, String queue, QueueKeys keys, Function<String, QueueKeys> targets, int markBytes) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.inserts = new Inserts(link, queue, keys);
        this.takes = new Takes(link, queue, keys);
        this.claims = new Claims(link, queue, keys, markBytes);
        this.settlements = new Settlements(link, queue, keys);
        this.moves = new Moves(link, queue, keys, targets);
        this.removals = new Removals(link, queue, keys);
        this.browses = new Browses(link, queue, keys);
        this.counts = new Counts(link, queue, keys);
        this.edits = new Edits(link, queue, keys, targets, browses);
    }

    /** Whether the layout is that of queues with ordering keys. */
    boolean keyed() {
        return keys.keyed;
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
    public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        return edits.reschedule(request);
    }

    @Override
    public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        return edits.moveIdle(request);
    }

    @Override
    public CompletionStage<Boolean> forget(ForgetRequest request) {
        byte[][] key = {keys.unique(request.scope(), request.key())};
        return link.run(Scripts.FORGET, queue, key, RedisKeys.bytes(request.id()))
                .thenApply(answer -> number(answer.get(0)) == 1);
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
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
                edits.tokens(),
                takes.tokens(),
                claims.tokens());
        return Deletion.run(
                link, keys.scripts.delete, queue, request, List.of(keys.all(keys.windows, keys.deletion)), tokens);
    }
}
