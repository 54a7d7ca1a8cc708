package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Stores messages: new ones, and taken ones that are put back. A call is sent as one script per 100 messages. */
final class Inserts {
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ScriptChain chain;
    /** More than for other calls, because several inserts may be in flight. */
    private final CallTokens tokens = new CallTokens(12);

    Inserts(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.chain = new ScriptChain(queue, Limits.MAX_SCRIPT);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<InsertResult> insert(InsertRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(chain.insert(
                request.messages(),
                request.token(),
                (part, token, previous) -> insert(part, new Step(token, previous, call), announce)));
    }

    /**
     * One script of a call.
     *
     * @param previous token of the script before; the first script's own token
     * @param call collects the keys under which Redis remembers the scripts
     */
    private record Step(String token, String previous, CallTokens.Call call) {}

    private CompletionStage<InsertResult> insert(List<NewMessage> messages, Step step, boolean announce) {
        InsertArgs args = new InsertArgs(keys, messages.size(), announce, MessageIds.suffix(step.token));
        for (NewMessage message : messages) {
            args.add(message);
        }
        return send(keys.scripts.insert, step, args);
    }

    CompletionStage<InsertResult> restore(RestoreRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(chain.insert(
                request.messages(),
                request.token(),
                (part, token, previous) -> restore(part, new Step(token, previous, call), announce)));
    }

    private CompletionStage<InsertResult> restore(List<StoredMessage> messages, Step step, boolean announce) {
        InsertArgs args = new InsertArgs(keys, messages.size(), announce, "");
        messages.forEach(args::addTaken);
        return send(keys.scripts.restore, step, args);
    }

    private CompletionStage<InsertResult> send(Script script, Step step, InsertArgs args) {
        byte[] key = keys.call(step.token);
        byte[] previousKey = step.previous.equals(step.token) ? key : keys.call(step.previous);
        byte[][] names = tokens.withObsolete(args.keys(key, previousKey));
        return link.runReplicated(script, queue, names, args.toArray()).thenApply(answer -> {
            if (answer.isEmpty()) {
                return InsertResult.builder().build();
            }
            step.call.answered(key);
            link.warnIfSignalRefused(queue, answer, 4);
            return result(answer, args.ids(), MessageIds.suffix(step.token));
        });
    }

    private static InsertResult result(List<Object> answer, List<@Nullable String> ids, String suffix) {
        String stamp = text(answer.get(1));
        String stored = text(answer.get(2));
        List<?> duplicates = (List<?>) answer.get(3);
        List<InsertResult.Item> items = new ArrayList<>(ids.size());
        int given = 0;
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            if (id == null) {
                items.add(InsertResult.Item.stored(stamp + MessageIds.ending(i, suffix)));
            } else {
                boolean duplicate = stored.charAt(given++) == '0';
                items.add(duplicate ? InsertResult.Item.duplicate(id) : InsertResult.Item.stored(id));
            }
        }
        for (int i = 0; i < duplicates.size(); i += 2) {
            items.set((int) number(duplicates.get(i)) - 1, InsertResult.Item.duplicate(text(duplicates.get(i + 1))));
        }
        return InsertResult.builder()
                .items(items)
                .storageMillis(number(answer.get(0)))
                .build();
    }
}
