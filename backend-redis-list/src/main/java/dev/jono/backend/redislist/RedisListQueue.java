package dev.jono.backend.redislist;

import static dev.jono.support.redis.Replies.number;

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
import dev.jono.support.redis.Deletion;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One list. keuss gives its messages no ids. Jono adds one in a field {@code _id}, and gives one to messages of other clients
 * when it takes them. The engine calls this class on any thread. Methods never block, and results arrive on the connection's
 * thread. Thread-safe.
 */
final class RedisListQueue implements QueueStore {
    /** The backend's type in URLs and exceptions. */
    static final String TYPE = "redis-list";

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final Inserts inserts;
    private final Takes takes;

    RedisListQueue(RedisLink link, String namespace, String queue) {
        String stored = link.keys().stored(queue);
        String calls = "jono:list:call:" + stored + ':';
        this.link = link;
        this.queue = queue;
        this.list = link.keys().key(RedisListBackend.LIST + stored);
        this.inserts = new Inserts(link, queue, list, calls::concat, link.keys().signals(namespace, queue));
        this.takes = new Takes(link, queue, list, calls::concat);
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
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return link.run(Scripts.COUNTS, queue, new byte[][] {list}).thenApply(answer -> {
            long now = number(answer.get(0));
            long ready = number(answer.get(1));
            CountsResult.Builder counts = CountsResult.builder().ready(ready).storageMillis(now);
            if (ready > 0) {
                counts.nextMillis(0)
                        .oldestReadyMillis(Takes.message((byte[]) answer.get(2), "", 0, now)
                                .dueMillis());
            }
            return counts.build();
        });
    }

    @Override
    public CompletionStage<Long> purge() {
        return link.run(Scripts.PURGE, queue, new byte[][] {list}).thenApply(answer -> number(answer.get(0)));
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return Deletion.run(
                link, Scripts.DELETE, queue, request, List.of(list), List.of(inserts.tokens(), takes.tokens()));
    }

    static UnsupportedCapabilityException unsupported(String operation, String queue, Capability capability) {
        return new UnsupportedCapabilityException(operation, queue, TYPE, capability);
    }

    private <R> CompletionStage<R> refuse(String operation, Capability capability) {
        return CompletableFuture.failedFuture(unsupported(operation, queue, capability));
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        return refuse("reserve", Capability.RESERVE);
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        return refuse("ack", Capability.RESERVE);
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        return refuse("release", Capability.RESERVE);
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        return refuse("extend", Capability.RESERVE);
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        return refuse("move", Capability.MOVE);
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        return refuse("remove", Capability.REMOVE);
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        return request.view() == BrowseRequest.View.HISTORY
                ? refuse("history", Capability.HISTORY)
                : refuse("browse", Capability.BROWSE);
    }
}
