package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;

import dev.jono.Headers;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Moves reserved messages into other queues. The client reads the messages and changes their headers and payloads, because it
 * keeps JSON exactly. An atomic script per target then moves those that this holder still has; no other client changes them
 * while it does.
 */
final class Moves {
    private final RedisLink link;
    private final String queue;
    private final Function<String, QueueKeys> targets;
    private final QueueKeys keys;
    private final ScriptChain chain;
    private final CallTokens tokens = new CallTokens(12);

    /**
     * The moves out of a queue.
     *
     * @param targets the keys of other queues by their names, in any layout
     */
    Moves(RedisLink link, String queue, QueueKeys keys, Function<String, QueueKeys> targets) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.targets = targets;
        this.chain = new ScriptChain(queue, Limits.MAX_SCRIPT);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<SettleResult> move(MoveRequest request) {
        Map<String, List<Integer>> byTarget = new LinkedHashMap<>();
        for (int i = 0; i < request.items().size(); i++) {
            byTarget.computeIfAbsent(request.items().get(i).toQueue(), target -> new ArrayList<>())
                    .add(i);
        }
        Outcome[] outcomes = new Outcome[request.items().size()];
        Arrays.fill(outcomes, Outcome.GONE);
        List<CompletableFuture<MovedPart>> parts = new ArrayList<>();
        CallTokens.Call call = tokens.begin(request.token());
        // The length keeps the tokens of two targets apart, whatever their names end with.
        byTarget.forEach((target, positions) -> parts.addAll(chain.sendInOrder(
                positions,
                request.token() + ':' + target.length() + ':' + target,
                (part, token) -> move(new MoveBatch(request, target, part, token, call), 0, outcomes))));
        return call.track(chain.combine("move", parts))
                .thenApply(moved -> SettleResult.builder()
                        .outcomes(List.of(outcomes))
                        .storageMillis(moved.stream()
                                .mapToLong(MovedPart::millis)
                                .max()
                                .orElse(0))
                        .promotedMillis(moved.stream()
                                .map(MovedPart::promoted)
                                .flatMapToLong(OptionalLong::stream)
                                .min())
                        .build());
    }

    /**
     * Messages for one target.
     *
     * @param positions of the messages in the request
     * @param token of the first script; later scripts derive theirs from it
     * @param call collects the keys under which Redis remembers the scripts
     */
    private record MoveBatch(
            MoveRequest request, String target, List<Integer> positions, String token, CallTokens.Call call) {
        MoveItem item(int position) {
            return request.items().get(position);
        }

        String tokenFrom(int from) {
            return from == 0 ? token : token + '+' + from;
        }
    }

    /** The server's time after scripts, and when the first message is due that was blocked behind those that were moved. */
    private record MovedPart(long millis, OptionalLong promoted) {
        MovedPart merged(MovedPart later) {
            return new MovedPart(
                    later.millis,
                    Stream.of(promoted, later.promoted)
                            .flatMapToLong(OptionalLong::stream)
                            .min());
        }
    }

    /**
     * Moves the messages of a batch from an index on, as many per script as may be read at once. Each script returns how many
     * messages it moved: when the call is repeated, that may differ from how many are read now.
     */
    private CompletableFuture<MovedPart> move(MoveBatch batch, int from, Outcome[] outcomes) {
        List<Integer> rest = batch.positions.subList(from, batch.positions.size());
        CompletableFuture<List<Object>> moved =
                read(batch, rest).thenCompose(texts -> moveTexts(batch, batch.tokenFrom(from), rest, texts));
        CompletableFuture<List<Object>> reported = from == 0
                ? moved
                : moved.exceptionally(failure -> {
                    throw chain.partlyDone("move", failure);
                });
        return reported.thenCompose(answer -> {
            List<Outcome> some = Settlements.outcomes(answer);
            for (int i = 0; i < some.size(); i++) {
                outcomes[rest.get(i)] = some.get(i);
            }
            int next = from + some.size();
            MovedPart done = new MovedPart(number(answer.get(0)), Settlements.promoted(answer, 2));
            return next == batch.positions.size()
                    ? CompletableFuture.completedFuture(done)
                    : move(batch, next, outcomes).thenApply(done::merged);
        });
    }

    /** The encoded texts of the first messages; an empty one for a message that this holder has lost. */
    private CompletableFuture<List<?>> read(MoveBatch batch, List<Integer> positions) {
        byte[][] args = new byte[1 + 2 * positions.size()][];
        args[0] = Limits.READ_BYTES;
        int at = 1;
        for (int position : positions) {
            at = ScriptArgs.receipt(args, at, batch.item(position).receipt());
        }
        return link.run(keys.scripts.held, queue, keys.all(), args).thenApply(answer -> (List<?>) answer.get(2));
    }

    private CompletableFuture<List<Object>> moveTexts(
            MoveBatch batch, String token, List<Integer> positions, List<?> texts) {
        QueueKeys target = targets.apply(batch.target);
        byte[][] args = new byte[2 + 5 * texts.size()][];
        args[0] = Limits.MEMORY_MILLIS;
        args[1] = batch.request.announce() ? target.channel : ScriptArgs.EMPTY;
        int at = 2;
        for (int i = 0; i < texts.size(); i++) {
            MoveItem item = batch.item(positions.get(i));
            // Lost messages are sent too: the script knows what a first attempt of the call did with them.
            Rewritten message = rewritten(item, (byte[]) texts.get(i));
            Envelope.Body body = message.body();
            at = ScriptArgs.receipt(args, at, item.receipt());
            args[at++] = ScriptArgs.spec(body.tail(), "", item.due());
            args[at++] = RedisKeys.bytes(message.key());
            args[at++] = body.text();
        }
        byte[] key = keys.call(token);
        byte[][] names = tokens.withObsolete(keys.allWithTarget(target, key));
        return link.runReplicated(keys.scripts.move, queue, names, args).thenApply(answer -> {
            batch.call.answered(key);
            link.warnIfSignalRefused(batch.target, answer, 3);
            return answer;
        });
    }

    private static Rewritten rewritten(MoveItem item, byte[] text) {
        Envelope.Parsed message = Envelope.read(text);
        Headers headers = message.headers().merged(item.dropHeaders(), item.addHeaders());
        return Rewritten.of(
                item.receipt().id(),
                item.payload() == null ? message.payload() : item.payload(),
                headers,
                item.tries());
    }
}
