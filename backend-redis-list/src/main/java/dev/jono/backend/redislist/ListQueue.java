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
import dev.jono.spi.ServerTime;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.Parts;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One list. keuss gives its elements no id, so Jono's have one in a field of their own, {@code _id}; those of others get
 * one when they are taken.
 */
final class ListQueue implements QueueStore {
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);
    private static final byte[] READ_BYTES = RedisKeys.bytes(RedisListBackend.MAX_READ_BYTES);
    private static final byte[] PUSH = RedisKeys.bytes("LPUSH");
    private static final byte[] RESTORE = RedisKeys.bytes("RPUSH");
    /** Of a list whose messages all have ids. */
    private static final String NO_STAMP = "0".repeat(16);

    private static final int HEAD = 6;

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final String calls;
    private final byte[] channel;
    private final Parts parts;
    private final CallTokens inserts = new CallTokens(12);
    /** One take is under way at a time, so only the latest is ever repeated; its result holds payloads. */
    private final CallTokens takes = new CallTokens(1);

    /** In microseconds, of the latest ids that were given. */
    private final AtomicLong stamps = new AtomicLong();

    /** Bytes of a message, as the last take has met them: so many are asked for as may be read at once. */
    private volatile long usualBytes = 1;

    ListQueue(RedisLink link, String namespace, String queue) {
        String stored = link.keys().stored(queue);
        this.link = link;
        this.queue = queue;
        this.list = link.keys().key(RedisListBackend.LIST + stored);
        this.calls = "jono:list:call:" + stored + ':';
        this.channel = link.keys().signals(namespace, queue);
        this.parts = new Parts(link, queue, RedisListBackend.MAX_PUSH);
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        List<NewMessage> messages = request.messages();
        long latest = 0;
        for (NewMessage message : messages) {
            Due due = message.due();
            if (!due.absolute() && due.millis() > 0) {
                return CompletableFuture.failedFuture(unsupported("a delay", Capability.SCHEDULE));
            }
            latest = Math.max(latest, due.absolute() ? due.millis() : 0);
        }
        byte[] dueMillis = latest == 0 ? NOTHING : RedisKeys.bytes(latest);
        return link.time("push", queue)
                .thenCompose(time -> parts.insert(messages, request.token(), (part, token) -> {
                    Texts texts = new Texts(part.size(), stamp(time), MessageIds.suffix(token));
                    for (NewMessage message : part) {
                        texts.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(ListScripts.INSERT, token, texts, request.announce(), PUSH, dueMillis);
                }));
    }

    /** The server's present, in 16 digits, and never the same twice. */
    private String stamp(ServerTime time) {
        long micros = time.nowMillis() * 1000;
        return String.valueOf(stamps.updateAndGet(last -> Math.max(last + 1, micros)));
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
        return parts.insert(order, request.token(), (part, token) -> {
                    Texts texts = new Texts(part.size(), NO_STAMP, "");
                    for (int i : part) {
                        StoredMessage message = messages.get(i);
                        texts.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(ListScripts.RESTORE, token, texts, request.announce(), RESTORE, NOTHING);
                })
                .thenApply(result -> {
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

    /** The messages of one call, as they will stand in the list. */
    private static final class Texts {
        private final String stamp;
        private final String suffix;
        private final List<@Nullable String> given;
        private final List<byte[]> texts;
        private boolean anyGiven;

        Texts(int count, String stamp, String suffix) {
            this.stamp = stamp;
            this.suffix = suffix;
            this.given = new ArrayList<>(count);
            this.texts = new ArrayList<>(count);
        }

        void add(@Nullable String id, EncodedPayload payload, Headers headers, int tries) {
            texts.add(Envelope.whole(payload, headers, tries, id == null ? id(stamp, given.size()) : id));
            given.add(id);
            anyGiven |= id != null;
        }

        private String id(String stamp, int place) {
            return stamp + MessageIds.ending(place, suffix);
        }

        byte[][] args(byte[]... head) {
            List<byte[]> args = new ArrayList<>(HEAD + 2 * texts.size());
            args.addAll(List.of(head));
            args.add(RedisKeys.bytes(stamp));
            args.add(RedisKeys.bytes(texts.size()));
            args.addAll(texts);
            if (anyGiven) {
                for (String id : given) {
                    args.add(id == null ? NOTHING : Envelope.idField(id));
                }
            }
            return args.toArray(byte[][]::new);
        }

        /** The stamp is of the attempt that was stored, which may have been an earlier one. */
        InsertResult result(long now, String stamp, String stored) {
            List<InsertResult.Item> items = new ArrayList<>(given.size());
            for (int i = 0; i < given.size(); i++) {
                String own = given.get(i);
                String id = own == null ? id(stamp, i) : own;
                items.add(stored.charAt(i) == '1' ? InsertResult.Item.stored(id) : InsertResult.Item.duplicate(id));
            }
            return InsertResult.builder().items(items).storageMillis(now).build();
        }
    }

    private CompletionStage<InsertResult> send(
            Script script, String token, Texts texts, boolean announce, byte[] how, byte[] dueMillis) {
        if (texts.texts.isEmpty()) {
            return CompletableFuture.completedFuture(InsertResult.builder().build());
        }
        byte[] call = link.keys().key(calls + token);
        byte[][] args = texts.args(MEMORY_MILLIS, announce ? channel : NOTHING, how, dueMillis);
        long sent = link.timeAsSeen().nanos();
        return link.runReplicated(script, queue, inserts.with(list, call), args).thenApply(answer -> {
            if (answer.size() == 1) {
                throw unsupported("a due time to come", Capability.SCHEDULE);
            }
            long now = number(answer.get(0));
            link.timeAsSeen().observe(now, sent);
            inserts.answered(call);
            link.signalled(queue, answer, 3);
            return texts.result(now, text(answer.get(1)), text(answer.get(2)));
        });
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        byte[] call = link.keys().key(calls + request.token());
        long most = Math.min(request.max(), RedisListBackend.MAX_BATCH);
        most = Math.max(1, Math.min(most, RedisListBackend.MAX_READ_BYTES / usualBytes));
        return link.runAndRead(
                        ListScripts.TAKE,
                        queue,
                        call,
                        answer -> (int) number(answer.get(2)),
                        takes.with(list, call),
                        RedisKeys.bytes(most),
                        READ_BYTES,
                        MEMORY_MILLIS)
                .thenApply(taken -> {
                    long now = number(taken.answer().get(0));
                    String suffix = MessageIds.suffix(request.token());
                    List<StoredMessage> messages = new ArrayList<>(taken.list().size());
                    long bytes = 0;
                    for (byte[] text : taken.list()) {
                        messages.add(message(text, suffix, messages.size(), now));
                        bytes += text.length;
                    }
                    if (!messages.isEmpty()) {
                        takes.answered(call);
                        usualBytes = 1 + bytes / messages.size();
                    }
                    return ClaimResult.builder()
                            .messages(messages)
                            .nextMillis(number(taken.answer().get(1)) > 0 ? 0 : ClaimResult.NONE)
                            .storageMillis(now)
                            .build();
                });
    }

    /** Where it has no id it gets one, which no other call gives. */
    private static StoredMessage message(byte[] text, String suffix, int place, long now) {
        Envelope.Found found = Envelope.read(text);
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
