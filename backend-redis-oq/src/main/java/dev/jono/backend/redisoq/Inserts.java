package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Puts messages into a queue: new ones, and those that were taken and not handed out. */
final class Inserts {
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ScriptChain parts;
    /** Several may be under way. */
    private final CallTokens tokens = new CallTokens(12);

    Inserts(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.parts = new ScriptChain(queue, RedisOqBackend.MAX_SCRIPT);
    }

    /** The calls that Redis remembers of these. */
    List<CallTokens> tokens() {
        return List.of(tokens);
    }

    CompletionStage<InsertResult> insert(InsertRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(parts.insert(
                request.messages(),
                request.token(),
                (part, token, before) -> insert(part, new ScriptStep(token, before, call), announce)));
    }

    /**
     * Of a script among those of a call.
     *
     * @param before token of the one before; of the first its own
     * @param call gets the key under which Redis remembers the script
     */
    private record ScriptStep(String token, String before, CallTokens.Call call) {}

    private CompletionStage<InsertResult> insert(List<NewMessage> messages, ScriptStep place, boolean announce) {
        InsertArgs call = new InsertArgs(messages.size(), announce, MessageIds.suffix(place.token));
        for (NewMessage message : messages) {
            call.add(message.id(), message.payload(), message.headers(), message.tries(), message.due());
        }
        return send(Scripts.INSERT, place, call);
    }

    CompletionStage<InsertResult> restore(RestoreRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(parts.insert(
                request.messages(),
                request.token(),
                (part, token, before) -> restore(part, new ScriptStep(token, before, call), announce)));
    }

    private CompletionStage<InsertResult> restore(List<StoredMessage> messages, ScriptStep place, boolean announce) {
        InsertArgs call = new InsertArgs(messages.size(), announce, "");
        for (StoredMessage message : messages) {
            call.add(
                    message.id(),
                    message.payload(),
                    message.headers(),
                    message.tries(),
                    Due.atMillis(message.dueMillis()));
        }
        return send(Scripts.RESTORE, place, call);
    }

    /** What a script is told: messages that are alike, as nearly all of a list are, are a run under one head. */
    private final class InsertArgs {
        final List<@Nullable String> ids;
        private final List<byte[]> args;
        private @Nullable Run run;
        private int runAt;
        private int runLength;

        InsertArgs(int messages, boolean announce, String suffix) {
            ids = new ArrayList<>(messages);
            args = new ArrayList<>(messages + 8);
            args.add(RedisOqQueue.MEMORY_MILLIS);
            args.add(announce ? keys.channel : ScriptArgs.EMPTY);
            args.add(RedisKeys.bytes(suffix));
        }

        void add(@Nullable String id, EncodedPayload payload, Headers headers, int tries, Due due) {
            Envelope.Body body = Envelope.write(id, payload, headers, tries);
            Run its = new Run(body.tail(), id != null, due.absolute(), due.millis());
            if (!its.equals(run)) {
                end();
                run = its;
                args.add(ScriptArgs.spec(body.tail(), id == null ? "n" : "i", due));
                runAt = args.size();
                args.add(ScriptArgs.EMPTY);
                runLength = 0;
            }
            ids.add(id);
            runLength++;
            if (id != null) {
                args.add(RedisKeys.bytes(id));
            }
            args.add(body.text());
        }

        private void end() {
            if (run != null) {
                args.set(runAt, RedisKeys.bytes(runLength));
            }
        }

        byte[][] args() {
            end();
            return args.toArray(byte[][]::new);
        }
    }

    /** What messages of one run have in common. */
    private record Run(Envelope.Tail tail, boolean given, boolean absolute, long millis) {}

    private CompletionStage<InsertResult> send(Script script, ScriptStep place, InsertArgs message) {
        byte[] call = keys.call(place.token);
        byte[] follows = place.before.equals(place.token) ? call : keys.call(place.before);
        byte[][] names = tokens.withObsolete(keys.index, keys.hash, call, follows);
        return link.runReplicated(script, queue, names, message.args()).thenApply(answer -> {
            if (answer.isEmpty()) {
                return InsertResult.builder().build();
            }
            place.call.answered(call);
            link.warnIfSignalRefused(queue, answer, 3);
            return result(answer, message.ids, MessageIds.suffix(place.token));
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
