package dev.jono.backend.redislist;

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
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Deletion;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One list. keuss gives its elements no id, so Jono's have one in a field of their own, {@code _id}; those of others get
 * one when they are taken.
 */
final class RedisListQueue implements QueueStore {
    static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);
    private static final byte[] EMPTY = new byte[0];
    private static final byte[] YES = RedisKeys.bytes(1);
    private static final byte[] READ_BYTES = RedisKeys.bytes(RedisListBackend.MAX_READ_BYTES);

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final String calls;
    private final Inserts inserts;
    /** One take is under way at a time, so only the latest is ever repeated; its result holds payloads. */
    private final CallTokens takes = new CallTokens(1);

    /** Bytes of a message, as the last take has met them: so many are asked for as may be read at once; 0 before the first. */
    private volatile long averageBytes;

    RedisListQueue(RedisLink link, String namespace, String queue) {
        String stored = link.keys().stored(queue);
        this.link = link;
        this.queue = queue;
        this.list = link.keys().key(RedisListBackend.LIST + stored);
        this.calls = "jono:list:call:" + stored + ':';
        this.inserts = new Inserts(link, queue, list, calls, link.keys().signals(namespace, queue));
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
        byte[] call = link.keys().key(calls + request.token());
        long usual = averageBytes;
        long fits = RedisListBackend.MAX_READ_BYTES / Math.max(1, usual);
        long most = Math.max(1, Math.min(Math.min(request.max(), RedisListBackend.MAX_BATCH), fits));
        CallTokens.Call remembered = takes.begin(request.token());
        return remembered.track(link.runAndReadList(
                        Scripts.TAKE,
                        queue,
                        call,
                        answer -> (int) number(answer.get(2)),
                        takes.withObsolete(list, call),
                        RedisKeys.bytes(most),
                        READ_BYTES,
                        MEMORY_MILLIS,
                        usual == 0 ? YES : EMPTY,
                        remembered.repeated() ? YES : EMPTY)
                .thenApply(taken -> {
                    long now = number(taken.answer().get(0));
                    List<byte[]> texts = taken.list();
                    if (!texts.isEmpty()) {
                        remembered.answered(call);
                        averageBytes = 1
                                + texts.stream().mapToLong(text -> text.length).sum() / texts.size();
                    }
                    return ClaimResult.builder()
                            .messages(texts.size(), () -> messages(texts, MessageIds.suffix(request.token()), now))
                            .nextMillis(number(taken.answer().get(1)) > 0 ? 0 : ClaimResult.NONE)
                            .storageMillis(now)
                            .build();
                }));
    }

    private static List<StoredMessage> messages(List<byte[]> texts, String suffix, long now) {
        List<StoredMessage> messages = new ArrayList<>(texts.size());
        for (byte[] text : texts) {
            messages.add(message(text, suffix, messages.size(), now));
        }
        return messages;
    }

    /** Where it has no id it gets one, which no other call gives. */
    private static StoredMessage message(byte[] text, String suffix, int place, long now) {
        Envelope.Parsed found = Envelope.read(text);
        String own = found.id();
        String id = own == null ? now + "000" + MessageIds.ending(place, suffix) : own;
        long stored = own == null ? 0 : MessageIds.storedMillis(id);
        return StoredMessage.builder()
                .id(id)
                .payload(found.payload())
                .headers(found.headers())
                .tries(found.tries())
                .dueMillis(stored == 0 ? now : stored)
                .pushedMillis(stored)
                .build();
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return link.run(Scripts.COUNTS, queue, new byte[][] {list}).thenApply(answer -> {
            long now = number(answer.get(0));
            long ready = number(answer.get(1));
            CountsResult.Builder counts = CountsResult.builder().ready(ready).storageMillis(now);
            if (ready > 0) {
                counts.nextMillis(0)
                        .oldestReadyMillis(
                                message((byte[]) answer.get(2), "", 0, now).dueMillis());
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
        return Deletion.run(link, Scripts.DELETE, queue, request, List.of(list), List.of(inserts.tokens(), takes));
    }

    static UnsupportedCapabilityException unsupported(String operation, String queue, Capability capability) {
        return new UnsupportedCapabilityException(operation, queue, RedisListBackendProvider.TYPE, capability);
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
