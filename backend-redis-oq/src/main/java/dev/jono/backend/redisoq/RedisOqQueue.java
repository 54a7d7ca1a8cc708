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
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** One queue. Each method is one script, or several of the same; its parameters are told at the head of the script. */
final class RedisOqQueue implements QueueStore {
    /** How long Redis remembers the result of a call. */
    static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);
    /** Of texts that a script reads; it ends behind the message that passes it. */
    static final byte[] READ_BYTES = RedisKeys.bytes(RedisOqBackend.MAX_READ_BYTES);

    private final RedisLink link;
    private final QueueKeys keys;
    private final String queue;
    private final Inserts inserts;
    private final Settlements settling;
    private final Browses looking;
    private final Takes takes;

    RedisOqQueue(RedisOqBackend backend, String queue) {
        this.queue = queue;
        this.link = backend.link();
        this.keys = backend.keys(queue);
        this.takes = new Takes(link, queue, keys, backend.markBytes());
        this.inserts = new Inserts(link, queue, keys);
        this.settling = new Settlements(backend, queue, keys);
        this.looking = new Browses(link, queue, keys);
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
        return takes.claim(request);
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        return settling.ack(request);
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        return settling.release(request);
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        return settling.extend(request);
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        return settling.move(request);
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        return looking.remove(request);
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            return CompletableFuture.failedFuture(new UnsupportedCapabilityException(
                    "history", queue, RedisOqBackendProvider.TYPE, Capability.HISTORY));
        }
        return looking.browse(request);
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return looking.counts();
    }

    @Override
    public CompletionStage<Long> purge() {
        return looking.purge();
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        List<CallTokens> tokens = Stream.of(inserts.tokens(), settling.tokens(), looking.tokens(), takes.tokens())
                .flatMap(List::stream)
                .toList();
        List<byte[]> all = List.of(keys.index, keys.hash, keys.claims);
        return Deletion.run(link, Scripts.DELETE, queue, request, all, tokens);
    }
}
