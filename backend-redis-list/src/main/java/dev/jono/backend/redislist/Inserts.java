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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores messages in the list: new ones, and taken ones that are put back. A call is sent as one script per 100 messages. */
final class Inserts {
    private static final byte[] EMPTY = new byte[0];
    private static final byte[] PUSH = RedisKeys.bytes("LPUSH");
    private static final byte[] RESTORE = RedisKeys.bytes("RPUSH");
    /** The stamp of a call whose messages all have ids. */
    private static final String NO_STAMP = "0".repeat(16);

    /** Arguments of a script before the texts. */
    private static final int HEAD = 6;

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final UnaryOperator<String> callKeys;
    private final byte[] channel;
    private final ScriptChain chain;
    /** More than for takes, because several inserts may be in flight. */
    private final CallTokens tokens = new CallTokens(12);

    /** The stamp of the latest ids, microseconds since the epoch. */
    private final AtomicLong stamps = new AtomicLong();

    /**
     * The inserts of a queue.
     *
     * @param callKeys from the token of a script to the key under which Redis remembers it
     * @param channel of the queue's signals
     */
    Inserts(RedisLink link, String queue, byte[] list, UnaryOperator<String> callKeys, byte[] channel) {
        this.link = link;
        this.queue = queue;
        this.list = list;
        this.callKeys = callKeys;
        this.channel = channel;
        this.chain = new ScriptChain(queue, Limits.MAX_PUSH);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<InsertResult> insert(InsertRequest request) {
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
        PushCall push =
                new PushCall(tokens.begin(request.token()), Scripts.INSERT, PUSH, request.announce(), dueMillis);
        return push.call.track(link.time("push", queue)
                .thenCompose(time -> chain.insert(messages, request.token(), (part, token, previous) -> {
                    EncodedMessages encoded = new EncodedMessages(part.size(), stamp(time), MessageIds.suffix(token));
                    for (NewMessage message : part) {
                        encoded.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(push, token, previous, encoded);
                })));
    }

    /** The server's time in 16 digits of microseconds; never the same twice. */
    private String stamp(ServerTime time) {
        long micros = time.nowMillis() * 1000;
        return String.valueOf(stamps.updateAndGet(last -> Math.max(last + 1, micros)));
    }

    /** Pushes to the end from which messages are popped: the oldest last, so that it is the first again. */
    CompletionStage<InsertResult> restore(RestoreRequest request) {
        List<StoredMessage> messages = request.messages();
        List<Integer> order = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing((Integer i) -> messages.get(i).id()).reversed());
        PushCall push =
                new PushCall(tokens.begin(request.token()), Scripts.RESTORE, RESTORE, request.announce(), EMPTY);
        return push.call
                .track(chain.insert(order, request.token(), (part, token, previous) -> {
                    EncodedMessages encoded = new EncodedMessages(part.size(), NO_STAMP, "");
                    for (int i : part) {
                        StoredMessage message = messages.get(i);
                        encoded.add(message.id(), message.payload(), message.headers(), message.tries());
                    }
                    return send(push, token, previous, encoded);
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

    /** The messages of one script, encoded as the list stores them. */
    private static final class EncodedMessages {
        private final String stamp;
        private final String suffix;
        /** The given id of each message; null for a message that gets one here. */
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

        private String id(String stamp, int index) {
            return stamp + MessageIds.ending(index, suffix);
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

        /** The result of the script. The stamp comes from the attempt that was stored, which may be an earlier one. */
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

    /** What the scripts of a call have in common. */
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

    private CompletionStage<InsertResult> send(PushCall push, String token, String previous, EncodedMessages encoded) {
        byte[] key = link.keys().key(callKeys.apply(token));
        byte[] previousKey = previous.equals(token) ? key : link.keys().key(callKeys.apply(previous));
        byte[][] names = tokens.withObsolete(list, key, previousKey);
        byte[][] args = encoded.args(Limits.MEMORY_MILLIS, push.announceChannel, push.pushCommand, push.dueMillis);
        long sentNanos = link.lastSeenTime().nanos();
        return link.runReplicated(push.script, queue, names, args).thenApply(answer -> {
            if (answer.isEmpty()) {
                return InsertResult.builder().build();
            }
            if (answer.size() == 1) {
                throw RedisListQueue.unsupported("a future due time", queue, Capability.SCHEDULE);
            }
            long now = number(answer.get(0));
            link.lastSeenTime().observe(now, sentNanos);
            push.call.answered(key);
            link.warnIfSignalRefused(queue, answer, 3);
            return encoded.result(now, text(answer.get(1)), text(answer.get(2)));
        });
    }
}
