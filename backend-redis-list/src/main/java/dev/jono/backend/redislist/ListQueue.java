package dev.jono.backend.redislist;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One list. keuss gives its elements no id, so Jono's have one in a field of their own, {@code _id}; those of others get
 * one when they are taken.
 */
final class ListQueue implements QueueStore {
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);
    private static final byte[] READ_BYTES = RedisKeys.bytes(RedisListBackend.MAX_READ_BYTES);
    private static final byte[] PUSH = RedisKeys.bytes("push");
    private static final byte[] RESTORE = RedisKeys.bytes("restore");
    private static final int HEAD = 4;
    private static final int PER_MESSAGE = 3;
    private static final String FOREIGN = "foreign0";

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final String calls;
    private final byte[] channel;
    private final CallTokens inserts = new CallTokens(8);
    /** One take is under way at a time, so only the latest is ever repeated; its result holds payloads. */
    private final CallTokens takes = new CallTokens(1);

    ListQueue(RedisLink link, String namespace, String queue) {
        String stored = link.keys().stored(queue);
        this.link = link;
        this.queue = queue;
        this.list = link.keys().key(RedisListBackend.LIST + stored);
        this.calls = "jono:list:call:" + stored + ':';
        this.channel = link.keys().signals(namespace, queue);
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        List<NewMessage> messages = request.messages();
        byte[][] args = args(messages.size(), request.announce(), PUSH);
        List<@Nullable String> ids = new ArrayList<>(messages.size());
        String suffix = MessageIds.suffix(request.token());
        long latest = 0;
        int at = HEAD;
        for (NewMessage message : messages) {
            Due due = message.due();
            if (!due.absolute() && due.millis() > 0) {
                return CompletableFuture.failedFuture(unsupported("a delay", Capability.SCHEDULE));
            }
            latest = Math.max(latest, due.absolute() ? due.millis() : 0);
            ids.add(message.id());
            at = add(args, at, message.id(), suffix, message.payload(), message.headers(), message.tries());
        }
        args[3] = latest == 0 ? NOTHING : RedisKeys.bytes(latest);
        return send(ListScripts.INSERT, request.token(), ids, args);
    }

    /** To the end at which messages are popped: the oldest last, so that it is the first again. */
    @Override
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        List<StoredMessage> messages = request.messages();
        List<Integer> order = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing((Integer i) -> messages.get(i).id()).reversed());
        byte[][] args = args(messages.size(), request.announce(), RESTORE);
        List<@Nullable String> ids = new ArrayList<>(messages.size());
        int at = HEAD;
        for (int i : order) {
            StoredMessage message = messages.get(i);
            ids.add(message.id());
            at = add(args, at, message.id(), "", message.payload(), message.headers(), message.tries());
        }
        args[3] = NOTHING;
        return send(ListScripts.RESTORE, request.token(), ids, args).thenApply(result -> {
            List<InsertResult.Item> items = new ArrayList<>(Collections.nCopies(order.size(), null));
            for (int i = 0; i < order.size(); i++) {
                items.set(order.get(i), result.items().get(i));
            }
            return InsertResult.builder()
                    .items(items)
                    .storageMillis(result.storageMillis())
                    .build();
        });
    }

    private byte[][] args(int count, boolean announce, byte[] how) {
        byte[][] args = new byte[HEAD + PER_MESSAGE * count][];
        args[0] = MEMORY_MILLIS;
        args[1] = announce ? channel : NOTHING;
        args[2] = how;
        return args;
    }

    private static int add(
            byte[][] args,
            int at,
            @Nullable String id,
            String suffix,
            EncodedPayload payload,
            Headers headers,
            int tries) {
        Envelope.Body body = Envelope.write(null, payload, headers, tries);
        args[at] = id == null
                ? RedisKeys.bytes(MessageIds.ending((at - HEAD) / PER_MESSAGE, suffix))
                : Envelope.idField(id);
        args[at + 1] = body.text();
        args[at + 2] = RedisKeys.bytes(body.tail().text());
        return at + PER_MESSAGE;
    }

    private CompletionStage<InsertResult> send(Script script, String token, List<@Nullable String> ids, byte[][] args) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(InsertResult.builder().build());
        }
        byte[] call = link.keys().key(calls + token);
        return link.runReplicated(script, queue, inserts.with(list, call), args).thenApply(answer -> {
            if (answer.size() == 1) {
                throw unsupported("a due time to come", Capability.SCHEDULE);
            }
            inserts.answered(call);
            return result(answer, ids, MessageIds.suffix(token));
        });
    }

    private static InsertResult result(List<Object> answer, List<@Nullable String> ids, String suffix) {
        String stamp = text(answer.get(1));
        String stored = text(answer.get(2));
        List<InsertResult.Item> items = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            String given = ids.get(i);
            String id = given == null ? stamp + MessageIds.ending(i, suffix) : given;
            items.add(stored.charAt(i) == '1' ? InsertResult.Item.stored(id) : InsertResult.Item.duplicate(id));
        }
        return InsertResult.builder()
                .items(items)
                .storageMillis(number(answer.get(0)))
                .build();
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        byte[] call = link.keys().key(calls + request.token());
        return link.run(
                        ListScripts.TAKE,
                        queue,
                        takes.with(list, call),
                        RedisKeys.bytes(Math.min(request.max(), RedisListBackend.MAX_BATCH)),
                        READ_BYTES,
                        MEMORY_MILLIS)
                .thenApply(answer -> {
                    long now = number(answer.get(0));
                    List<StoredMessage> messages = new ArrayList<>(answer.size());
                    for (int i = 3; i < answer.size(); i++) {
                        messages.add(message((byte[]) answer.get(i), text(answer.get(2)), i - 3, now));
                    }
                    if (!messages.isEmpty()) {
                        takes.answered(call);
                    }
                    return ClaimResult.builder()
                            .messages(messages)
                            .nextMillis(number(answer.get(1)) > 0 ? 0 : ClaimResult.NONE)
                            .storageMillis(now)
                            .build();
                });
    }

    private static StoredMessage message(byte[] text, String stamp, int place, long now) {
        Envelope.Found found = Envelope.read(text);
        String own = found.id();
        String id = own == null ? stamp + MessageIds.ending(place, FOREIGN) : own;
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
        return link.run(ListScripts.COUNTS, queue, new byte[][] {list}).thenApply(answer -> {
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
        return link.run(ListScripts.PURGE, queue, new byte[][] {list}).thenApply(answer -> number(answer.get(0)));
    }

    private UnsupportedCapabilityException unsupported(String operation, Capability capability) {
        return new UnsupportedCapabilityException(operation, queue, RedisListBackendProvider.TYPE, capability);
    }

    private <R> CompletionStage<R> refuse(String operation, Capability capability) {
        return CompletableFuture.failedFuture(unsupported(operation, capability));
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
