package dev.jono.backend.redislist;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.ServerTime;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Puts messages into a list: new ones, and those that were taken and not handed out. */
final class Inserts {
    private static final byte[] EMPTY = new byte[0];
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
    private final ScriptChain parts;
    private final CallTokens tokens = new CallTokens(12);

    /** In microseconds, of the latest ids that were given. */
    private final AtomicLong stamps = new AtomicLong();

    Inserts(RedisLink link, String queue, byte[] list, String calls, byte[] channel) {
        this.link = link;
        this.queue = queue;
        this.list = list;
        this.calls = calls;
        this.channel = channel;
        this.parts = new ScriptChain(queue, RedisListBackend.MAX_PUSH);
    }

    /** The calls that Redis remembers of these. */
    CallTokens tokens() {
        return tokens;
    }

    public CompletionStage<InsertResult> insert(InsertRequest request) {
        List<NewMessage> messages = request.messages();
        long latest = 0;
        for (NewMessage message : messages) {
            Due due = message.due();
            if (!due.absolute() && due.millis() > 0) {
                return CompletableFuture.failedFuture(
                        RedisListQueue.unsupported("a delay", queue, Capability.SCHEDULE));
            }
            latest = Math.max(latest, due.absolute() ? due.millis() : 0);
        }
        byte[] dueMillis = latest == 0 ? EMPTY : RedisKeys.bytes(latest);
        PushCall pushing =
                new PushCall(tokens.begin(request.token()), Scripts.INSERT, PUSH, request.announce(), dueMillis);
        return pushing.call.track(link.time("push", queue)
                .thenCompose(time -> parts.insert(messages, request.token(), (part, token, before) -> {
                    EncodedMessages texts = new EncodedMessages(part.size(), stamp(time), MessageIds.suffix(token));
                    for (NewMessage message : part) {
                        texts.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(pushing, token, before, texts);
                })));
    }

    /** The server's present, in 16 digits, and never the same twice. */
    private String stamp(ServerTime time) {
        long micros = time.nowMillis() * 1000;
        return String.valueOf(stamps.updateAndGet(last -> Math.max(last + 1, micros)));
    }

    /** To the end at which messages are popped: the oldest last, so that it is the first again. */
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        List<StoredMessage> messages = request.messages();
        List<Integer> order = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing((Integer i) -> messages.get(i).id()).reversed());
        PushCall pushing =
                new PushCall(tokens.begin(request.token()), Scripts.RESTORE, RESTORE, request.announce(), EMPTY);
        return pushing.call
                .track(parts.insert(order, request.token(), (part, token, before) -> {
                    EncodedMessages texts = new EncodedMessages(part.size(), NO_STAMP, "");
                    for (int i : part) {
                        StoredMessage message = messages.get(i);
                        texts.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(pushing, token, before, texts);
                }))
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
    private static final class EncodedMessages {
        private final String stamp;
        private final String suffix;
        private final List<@Nullable String> given;
        private final List<byte[]> texts;
        private boolean anyGiven;

        EncodedMessages(int count, String stamp, String suffix) {
            this.stamp = stamp;
            this.suffix = suffix;
            this.given = new ArrayList<>(count);
            this.texts = new ArrayList<>(count);
        }

        void add(@Nullable String id, EncodedPayload payload, Headers headers, int tries) {
            texts.add(Envelope.writeWhole(payload, headers, tries, id == null ? id(stamp, given.size()) : id));
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
                    args.add(id == null ? EMPTY : Envelope.idField(id));
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

    /** A call that pushes, in one script or several. */
    private final class PushCall {
        private final CallTokens.Call call;
        private final Script script;
        private final byte[] pushCommand;
        private final byte[] announceChannel;
        private final byte[] dueMillis;

        PushCall(CallTokens.Call call, Script script, byte[] how, boolean announce, byte[] dueMillis) {
            this.call = call;
            this.script = script;
            this.pushCommand = how;
            this.announceChannel = announce ? channel : EMPTY;
            this.dueMillis = dueMillis;
        }
    }

    private CompletionStage<InsertResult> send(PushCall pushing, String token, String before, EncodedMessages texts) {
        byte[] call = link.keys().key(calls + token);
        byte[] follows = before.equals(token) ? call : link.keys().key(calls + before);
        byte[][] names = tokens.withObsolete(list, call, follows);
        byte[][] args = texts.args(
                RedisListQueue.MEMORY_MILLIS, pushing.announceChannel, pushing.pushCommand, pushing.dueMillis);
        long sent = link.lastSeenTime().nanos();
        return link.runReplicated(pushing.script, queue, names, args).thenApply(answer -> {
            if (answer.isEmpty()) {
                return InsertResult.builder().build();
            }
            if (answer.size() == 1) {
                throw RedisListQueue.unsupported("a due time to come", queue, Capability.SCHEDULE);
            }
            long now = number(answer.get(0));
            link.lastSeenTime().observe(now, sent);
            pushing.call.answered(call);
            link.warnIfSignalRefused(queue, answer, 3);
            return texts.result(now, text(answer.get(1)), text(answer.get(2)));
        });
    }
}
