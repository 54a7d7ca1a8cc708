package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.EditResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Reschedules messages that no consumer holds, and moves them into other queues. */
final class Edits {
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final Function<String, QueueKeys> targets;
    private final Browses browses;
    private final ScriptChain chain;
    private final CallTokens tokens = new CallTokens(8);

    /**
     * The edits of a queue.
     *
     * @param targets the keys of other queues by their names, in any layout
     */
    Edits(RedisLink link, String queue, QueueKeys keys, Function<String, QueueKeys> targets, Browses browses) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.targets = targets;
        this.browses = browses;
        this.chain = new ScriptChain(queue, Limits.MAX_SCRIPT);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        CallTokens.Call call = tokens.begin(request.token());
        byte[] due = RedisKeys.bytes(ScriptArgs.due(request.due()));
        return call.track(chain.combine(
                        "reschedule",
                        chain.sendInOrder(
                                request.ids(), request.token(), (ids, token) -> reschedule(ids, due, token, call))))
                .thenApply(Edits::merged);
    }

    private CompletableFuture<EditResult> reschedule(List<String> ids, byte[] due, String token, CallTokens.Call call) {
        byte[][] args = new byte[2 + ids.size()][];
        args[0] = Limits.MEMORY_MILLIS;
        args[1] = due;
        for (int i = 0; i < ids.size(); i++) {
            args[i + 2] = RedisKeys.bytes(ids.get(i));
        }
        byte[] key = keys.call(token);
        return link.run(keys.scripts.reschedule, queue, tokens.withObsolete(keys.all(key)), args)
                .thenApply(answer -> {
                    call.answered(key);
                    return result(answer);
                });
    }

    /**
     * The client removes headers, because it keeps JSON exactly: nothing changes the headers of a waiting message meanwhile. Tries and
     * due time are those that the script finds.
     */
    CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(chain.combine(
                        "moveIdle",
                        chain.sendInOrder(
                                request.ids(),
                                request.token(),
                                (ids, token) ->
                                        read(ids).thenCompose(found -> move(request, ids, found, token, call)))))
                .thenApply(Edits::merged);
    }

    private CompletionStage<Map<String, StoredMessage>> read(List<String> ids) {
        return browses.browse(BrowseRequest.builder().ids(ids).limit(ids.size()).build())
                .thenApply(found -> {
                    Map<String, StoredMessage> byId = new HashMap<>();
                    found.messages().forEach(message -> byId.put(message.id(), message));
                    return byId;
                });
    }

    private CompletableFuture<EditResult> move(
            MoveIdleRequest request,
            List<String> ids,
            Map<String, StoredMessage> found,
            String token,
            CallTokens.Call call) {
        List<byte[]> args = new ArrayList<>(2 + 4 * ids.size());
        args.add(Limits.MEMORY_MILLIS);
        args.add(ScriptArgs.flag(request.keepsTriesAndDue()));
        for (String id : ids) {
            args.add(RedisKeys.bytes(id));
            StoredMessage message = found.get(id);
            if (message == null) {
                // Sent too: the script knows what a first attempt of the call did with it.
                args.addAll(List.of(ScriptArgs.EMPTY, ScriptArgs.EMPTY, ScriptArgs.EMPTY));
                continue;
            }
            Headers headers = message.headers().merged(request.dropHeaders(), Headers.empty());
            Rewritten rewritten = Rewritten.of(id, message.payload(), headers, 0);
            args.add(ScriptArgs.letter(rewritten.body().tail()));
            args.add(RedisKeys.bytes(rewritten.key()));
            args.add(rewritten.body().text());
        }
        byte[] key = keys.call(token);
        byte[][] names = tokens.withObsolete(keys.allWithTarget(targets.apply(request.toQueue()), key));
        return link.runReplicated(keys.scripts.moveIdle, queue, names, args.toArray(byte[][]::new))
                .thenApply(answer -> {
                    call.answered(key);
                    return result(answer);
                });
    }

    private static EditResult result(List<Object> answer) {
        List<EditOutcome> outcomes = text(answer.get(1))
                .chars()
                .mapToObj(letter -> switch (letter) {
                    case 'D' -> EditOutcome.DONE;
                    case 'H' -> EditOutcome.HELD;
                    default -> EditOutcome.ABSENT;
                })
                .toList();
        return EditResult.builder()
                .outcomes(outcomes)
                .storageMillis(number(answer.get(0)))
                .build();
    }

    private static EditResult merged(List<EditResult> parts) {
        List<EditOutcome> outcomes = new ArrayList<>();
        parts.forEach(part -> outcomes.addAll(part.outcomes()));
        return EditResult.builder()
                .outcomes(outcomes)
                .storageMillis(parts.stream()
                        .mapToLong(EditResult::storageMillis)
                        .max()
                        .orElse(0))
                .build();
    }
}
