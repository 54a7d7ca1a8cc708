package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.Parts;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Puts messages into a queue: new ones, and those that were taken and not handed out. */
final class OqInserts {
    private static final int HEAD = 2;
    private static final int PER_MESSAGE = 3;

    private final RedisLink link;
    private final String queue;
    private final OqKeys keys;
    private final Parts parts;
    /** Several may be under way. */
    private final CallTokens tokens = new CallTokens(12);

    OqInserts(RedisLink link, String queue, OqKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.parts = new Parts(link, queue, RedisOqBackend.MAX_SCRIPT);
    }

    CompletionStage<InsertResult> insert(InsertRequest request) {
        boolean announce = request.announce();
        return parts.insert(request.messages(), request.token(), (part, token) -> insert(part, token, announce));
    }

    private CompletionStage<InsertResult> insert(List<NewMessage> messages, String token, boolean announce) {
        List<@Nullable String> ids = new ArrayList<>(messages.size());
        byte[][] args = args(messages.size(), announce);
        String suffix = MessageIds.suffix(token);
        int at = HEAD;
        for (NewMessage message : messages) {
            ids.add(message.id());
            Envelope.Body body = Envelope.write(message.id(), message.payload(), message.headers(), message.tries());
            at = add(args, at, message.id(), suffix, body, message.due());
        }
        return send(OqScripts.INSERT, token, ids, args);
    }

    CompletionStage<InsertResult> restore(RestoreRequest request) {
        boolean announce = request.announce();
        return parts.insert(request.messages(), request.token(), (part, token) -> restore(part, token, announce));
    }

    private CompletionStage<InsertResult> restore(List<StoredMessage> messages, String token, boolean announce) {
        List<@Nullable String> ids = new ArrayList<>(messages.size());
        byte[][] args = args(messages.size(), announce);
        int at = HEAD;
        for (StoredMessage message : messages) {
            ids.add(message.id());
            Envelope.Body body = Envelope.write(message.id(), message.payload(), message.headers(), message.tries());
            at = add(args, at, message.id(), "", body, Due.atMillis(message.dueMillis()));
        }
        return send(OqScripts.RESTORE, token, ids, args);
    }

    private byte[][] args(int count, boolean announce) {
        byte[][] args = new byte[HEAD + PER_MESSAGE * count][];
        args[0] = OqQueue.MEMORY_MILLIS;
        args[1] = announce ? keys.channel : Words.NOTHING;
        return args;
    }

    private static int add(byte[][] args, int at, @Nullable String id, String suffix, Envelope.Body body, Due due) {
        args[at] = Words.spec(body.tail(), id == null ? "n" : "i", due);
        args[at + 1] = RedisKeys.bytes(id == null ? MessageIds.ending((at - HEAD) / PER_MESSAGE, suffix) : id);
        args[at + 2] = body.text();
        return at + PER_MESSAGE;
    }

    private CompletionStage<InsertResult> send(Script script, String token, List<@Nullable String> ids, byte[][] args) {
        byte[] call = keys.call(token);
        byte[][] names = tokens.with(keys.index, keys.hash, call);
        return link.runReplicated(script, queue, names, args).thenApply(answer -> {
            tokens.answered(call);
            return result(answer, ids, MessageIds.suffix(token));
        });
    }

    private static InsertResult result(List<Object> answer, List<@Nullable String> ids, String suffix) {
        String stamp = text(answer.get(1));
        String stored = text(answer.get(2));
        List<InsertResult.Item> items = new ArrayList<>(ids.size());
        int given = 0;
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            if (id == null) {
                items.add(InsertResult.Item.stored(stamp + MessageIds.ending(i, suffix)));
            } else {
                boolean live = stored.charAt(given++) == '0';
                items.add(live ? InsertResult.Item.duplicate(id) : InsertResult.Item.stored(id));
            }
        }
        return InsertResult.builder()
                .items(items)
                .storageMillis(number(answer.get(0)))
                .build();
    }
}
