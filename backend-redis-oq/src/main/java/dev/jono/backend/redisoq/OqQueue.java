package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
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
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One queue. Each method is one script; its parameters are told at the head of the script. */
final class OqQueue implements QueueStore {
    /** How long Redis remembers the result of a call. */
    static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);

    private static final byte[] READ_BYTES = RedisKeys.bytes(RedisOqBackend.MAX_READ_BYTES);

    private final RedisLink link;
    private final String queue;
    private final OqKeys keys;
    private final OqInserts inserts;
    private final OqSettling settling;
    private final OqLooking looking;
    /** One claim or take is under way at a time, so only the latest is ever repeated; a take's result holds payloads. */
    private final CallTokens takes = new CallTokens(1);

    private final CallTokens claims = new CallTokens(1);

    OqQueue(RedisOqBackend backend, String queue) {
        this.link = backend.link();
        this.queue = queue;
        this.keys = backend.keys(queue);
        this.inserts = new OqInserts(link, queue, keys);
        this.settling = new OqSettling(backend, queue, keys);
        this.looking = new OqLooking(link, queue, keys);
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
        byte[] call = keys.call(request.token());
        byte[][] names = {keys.index, keys.hash, keys.claims, call};
        return link.run(
                        OqScripts.TAKE,
                        queue,
                        takes.with(names),
                        RedisKeys.bytes(Math.min(request.max(), RedisOqBackend.MAX_BATCH)),
                        READ_BYTES,
                        MEMORY_MILLIS)
                .thenApply(answer -> {
                    List<StoredMessage> messages = new ArrayList<>(answer.size() / 3);
                    for (int i = 2; i < answer.size(); i += 3) {
                        messages.add(OqMessages.taken(
                                text(answer.get(i)),
                                (byte[]) answer.get(i + 1),
                                (byte[]) answer.get(i + 2),
                                number(answer.get(0))));
                    }
                    return found(answer, messages, takes, call);
                });
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        byte[] call = keys.call(request.token());
        byte[][] names = {keys.index, keys.hash, keys.claims, call};
        String fence = MessageIds.hash(request.token());
        return link.run(
                        OqScripts.CLAIM,
                        queue,
                        claims.with(names),
                        RedisKeys.bytes(Math.min(request.max(), RedisOqBackend.MAX_BATCH)),
                        READ_BYTES,
                        MEMORY_MILLIS,
                        RedisKeys.bytes(request.leaseMillis()),
                        RedisKeys.bytes(fence),
                        RedisKeys.bytes(request.isolateTries()),
                        RedisKeys.bytes(request.isolateExpiredTries()))
                .thenApply(answer -> {
                    boolean isolated = number(answer.get(2)) == 1;
                    List<StoredMessage> messages = new ArrayList<>(answer.size() / 2);
                    for (int i = 3; i < answer.size(); i += 2) {
                        messages.add(
                                OqMessages.claimed(text(answer.get(i)), (byte[]) answer.get(i + 1), fence, isolated));
                    }
                    return found(answer, messages, claims, call);
                });
    }

    private static ClaimResult found(
            List<Object> answer, List<StoredMessage> messages, CallTokens tokens, byte[] call) {
        if (!messages.isEmpty()) {
            tokens.answered(call); // a call that found nothing is not remembered
        }
        long next = number(answer.get(1));
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(next < 0 ? ClaimResult.NONE : next)
                .storageMillis(number(answer.get(0)))
                .build();
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
}
