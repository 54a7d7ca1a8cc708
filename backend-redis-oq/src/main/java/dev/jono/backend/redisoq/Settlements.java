package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ends and changes reservations of a queue. */
final class Settlements {
    /** In the token of what an earlier script has left. */
    private static final String REST = "+";

    private final RedisOqBackend backend;
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ScriptChain parts;
    private final CallTokens releases = new CallTokens(12);
    private final CallTokens moves = new CallTokens(12);

    Settlements(RedisOqBackend backend, String queue, QueueKeys keys) {
        this.backend = backend;
        this.link = backend.link();
        this.queue = queue;
        this.keys = keys;
        this.parts = new ScriptChain(queue, RedisOqBackend.MAX_SCRIPT);
    }

    /** The calls that Redis remembers of these. */
    List<CallTokens> tokens() {
        return List.of(releases, moves);
    }

    /** Needs no memory of the call: a message that is gone is what a repeat expects. */
    CompletionStage<SettleResult> ack(SettleRequest request) {
        return AcksByLease.settle(
                request.receipts(),
                receipts -> inAnyOrder("ack", receipts, (part, token) -> ack(part, token.contains(REST))));
    }

    private CompletionStage<SettleResult> ack(List<Receipt> receipts, boolean withIds) {
        byte[][] names = {keys.index, keys.hash, keys.claims};
        return link.run(Scripts.ACK, queue, names, AcksByLease.args(receipts, withIds))
                .thenApply(Settlements::result);
    }

    /** In turn: each script gives its own time, and one that ends early must not be overtaken by those behind it. */
    CompletionStage<SettleResult> release(ReleaseRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = releases.begin(request.token());
        ScriptChain.Sender<ReleaseRequest.Item, SettleResult> sender =
                (part, token) -> release(part, token, announce, call);
        return call.track(parts.combine(
                        "retry",
                        parts.sendInOrder(
                                request.items(),
                                request.token(),
                                (part, its) -> sendUntilDone("retry", part, its, sender))))
                .thenApply(Settlements::merged);
    }

    private CompletionStage<SettleResult> release(
            List<ReleaseRequest.Item> items, String token, boolean announce, CallTokens.Call whole) {
        byte[][] args = new byte[3 + 4 * items.size()][];
        args[0] = RedisOqQueue.MEMORY_MILLIS;
        args[1] = announce ? keys.channel : ScriptArgs.EMPTY;
        args[2] = RedisOqQueue.READ_BYTES;
        int at = 3;
        for (ReleaseRequest.Item item : items) {
            at = add(args, at, item.receipt());
            args[at++] = item.due() == null ? ScriptArgs.EMPTY : RedisKeys.bytes(ScriptArgs.due(item.due()));
            args[at++] = item.counted() ? ScriptArgs.ONE : ScriptArgs.ZERO;
        }
        byte[] call = keys.call(token);
        byte[][] names = {keys.index, keys.hash, keys.claims, call};
        return link.run(Scripts.RELEASE, queue, releases.withObsolete(names), args)
                .thenApply(answer -> {
                    whole.answered(call);
                    link.warnIfSignalRefused(queue, answer, 2);
                    return result(answer);
                });
    }

    /** A repeat sets the same end, or one a little later. */
    CompletionStage<SettleResult> extend(ExtendRequest request) {
        byte[] lease = RedisKeys.bytes(request.leaseMillis());
        return inAnyOrder("extend", request.receipts(), (part, token) -> extend(part, lease));
    }

    private CompletionStage<SettleResult> extend(List<Receipt> receipts, byte[] lease) {
        byte[][] args = new byte[2 + 2 * receipts.size()][];
        args[0] = lease;
        args[1] = RedisOqQueue.READ_BYTES;
        int at = 2;
        for (Receipt receipt : receipts) {
            at = add(args, at, receipt);
        }
        return link.run(Scripts.EXTEND, queue, new byte[][] {keys.index, keys.hash, keys.claims}, args)
                .thenApply(Settlements::result);
    }

    private static int add(byte[][] args, int at, Receipt receipt) {
        args[at] = RedisKeys.bytes(receipt.id());
        args[at + 1] = ClaimToken.fence(receipt);
        return at + 2;
    }

    private <I> CompletionStage<SettleResult> inAnyOrder(
            String step, List<I> items, ScriptChain.Sender<I, SettleResult> sender) {
        return parts.sendInAnyOrder(step, items, "", (part, token) -> sendUntilDone(step, part, token, sender))
                .thenApply(Settlements::merged);
    }

    /**
     * A script ends where it would read too much, or has to know more. The rest is sent again, under a token that a repeat
     * makes again.
     */
    private <I> CompletionStage<SettleResult> sendUntilDone(
            String step, List<I> items, String token, ScriptChain.Sender<I, SettleResult> sender) {
        return sender.send(items, token).thenCompose(found -> {
            int done = found.outcomes().size();
            if (done == items.size()) {
                return CompletableFuture.completedFuture(found);
            }
            CompletionStage<SettleResult> left =
                    sendUntilDone(step, items.subList(done, items.size()), token + REST + done, sender);
            if (done == 0) {
                return left;
            }
            return left.exceptionally(failure -> {
                        throw parts.partlyDone(step, failure);
                    })
                    .thenApply(rest -> merged(List.of(found, rest)));
        });
    }

    private static SettleResult merged(List<SettleResult> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Outcome> outcomes = new ArrayList<>(RedisOqBackend.MAX_SCRIPT * parts.size());
        long latest = 0;
        for (SettleResult part : parts) {
            outcomes.addAll(part.outcomes());
            latest = Math.max(latest, part.storageMillis());
        }
        return SettleResult.builder().outcomes(outcomes).storageMillis(latest).build();
    }

    private static SettleResult result(List<Object> answer) {
        return SettleResult.builder()
                .outcomes(outcomes(answer))
                .storageMillis(number(answer.get(0)))
                .build();
    }

    private static List<Outcome> outcomes(List<Object> answer) {
        String letters = text(answer.get(1));
        List<Outcome> outcomes = new ArrayList<>(letters.length());
        for (int i = 0; i < letters.length(); i++) {
            outcomes.add(
                    switch (letters.charAt(i)) {
                        case 'D' -> Outcome.DONE;
                        case 'S' -> Outcome.STALE;
                        default -> Outcome.GONE;
                    });
        }
        return outcomes;
    }

    /**
     * Reads the messages, changes their headers and payloads here, where JSON is kept exactly, and moves them in one
     * atomic script for each target, if they are then still this holder's: as long as they are, nobody changes them.
     */
    CompletionStage<SettleResult> move(MoveRequest request) {
        Map<String, List<Integer>> byTarget = new LinkedHashMap<>();
        for (int i = 0; i < request.items().size(); i++) {
            byTarget.computeIfAbsent(request.items().get(i).toQueue(), target -> new ArrayList<>())
                    .add(i);
        }
        Outcome[] outcomes = new Outcome[request.items().size()];
        Arrays.fill(outcomes, Outcome.GONE);
        List<CompletableFuture<Long>> moved = new ArrayList<>();
        CallTokens.Call call = moves.begin(request.token());
        // The length keeps the tokens of targets apart, whatever their names end with.
        byTarget.forEach((target, places) -> moved.addAll(parts.sendInOrder(
                places,
                request.token() + ':' + target.length() + ':' + target,
                (part, token) -> move(new MoveBatch(request, target, part, token, call), 0, outcomes))));
        return call.track(parts.combine("move", moved)).thenApply(times -> {
            return SettleResult.builder()
                    .outcomes(List.of(outcomes))
                    .storageMillis(
                            times.stream().mapToLong(Long::longValue).max().orElse(0))
                    .build();
        });
    }

    /**
     * Messages that go to one target.
     *
     * @param places in the request
     * @param token of the first script; the others' are made of it
     * @param call gets the keys under which Redis remembers the scripts
     */
    private record MoveBatch(
            MoveRequest request, String target, List<Integer> places, String token, CallTokens.Call call) {}

    /**
     * Moves those from a place in the list on, as many at a time as may be read at once. When the call is repeated, each script
     * says how many it was about, which may be others than are read now.
     */
    private CompletableFuture<Long> move(MoveBatch lot, int from, Outcome[] outcomes) {
        List<Integer> left = lot.places.subList(from, lot.places.size());
        byte[][] args = new byte[1 + 2 * left.size()][];
        args[0] = RedisOqQueue.READ_BYTES;
        int at = 1;
        for (int place : left) {
            at = add(args, at, lot.request.items().get(place).receipt());
        }
        String token = from == 0 ? lot.token : lot.token + '+' + from;
        CompletableFuture<List<Object>> moved = link.run(
                        Scripts.HELD, queue, new byte[][] {keys.index, keys.hash, keys.claims}, args)
                .thenCompose(found -> moveFound(lot, token, left, found));
        return (from == 0
                        ? moved
                        : moved.exceptionally(failure -> {
                            throw parts.partlyDone("move", failure);
                        }))
                .thenCompose(answer -> {
                    List<Outcome> some = outcomes(answer);
                    for (int i = 0; i < some.size(); i++) {
                        outcomes[left.get(i)] = some.get(i);
                    }
                    int next = from + some.size();
                    return next == lot.places.size()
                            ? CompletableFuture.completedFuture(number(answer.get(0)))
                            : move(lot, next, outcomes);
                });
    }

    private CompletableFuture<List<Object>> moveFound(
            MoveBatch lot, String token, List<Integer> left, List<Object> found) {
        QueueKeys to = backend.keys(lot.target);
        List<?> texts = (List<?>) found.get(2);
        byte[][] args = new byte[2 + 4 * texts.size()][];
        args[0] = RedisOqQueue.MEMORY_MILLIS;
        args[1] = lot.request.announce() ? to.channel : ScriptArgs.EMPTY;
        int at = 2;
        for (int i = 0; i < texts.size(); i++) {
            MoveItem item = lot.request.items().get(left.get(i));
            // What is not held any more is sent too: on a repeat, the script knows what became of it.
            Envelope.Parsed message = Envelope.read((byte[]) texts.get(i));
            Envelope.Body body = Envelope.write(
                    item.receipt().id(),
                    item.payload() == null ? message.payload() : item.payload(),
                    message.headers().merged(item.dropHeaders(), item.addHeaders()),
                    item.tries());
            at = add(args, at, item.receipt());
            args[at++] = ScriptArgs.spec(body.tail(), "", item.due());
            args[at++] = body.text();
        }
        byte[] call = keys.call(token);
        byte[][] names = {keys.index, keys.hash, keys.claims, to.index, to.hash, call};
        return link.runReplicated(Scripts.MOVE, queue, moves.withObsolete(names), args)
                .thenApply(answer -> {
                    lot.call.answered(call);
                    link.warnIfSignalRefused(lot.target, answer, 2);
                    return answer;
                });
    }
}
