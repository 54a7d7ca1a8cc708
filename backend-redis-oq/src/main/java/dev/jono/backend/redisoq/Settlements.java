package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ends reservations by ack or release, and extends leases. */
final class Settlements {
    /** In the token of a script that continues where an earlier one ended. */
    private static final String REST = "+";

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ScriptChain chain;
    private final CallTokens releases = new CallTokens(12);

    Settlements(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.chain = new ScriptChain(queue, Limits.MAX_SCRIPT);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return releases;
    }

    /** Redis does not remember acks: a repetition finds the messages gone, as it expects. */
    CompletionStage<SettleResult> ack(SettleRequest request) {
        return AcksByLease.settle(
                request.receipts(),
                receipts -> sendInAnyOrder("ack", receipts, (part, token) -> ack(part, token.contains(REST))));
    }

    private CompletionStage<SettleResult> ack(List<Receipt> receipts, boolean withIds) {
        return link.run(keys.scripts.ack, queue, keys.all(), AcksByLease.args(receipts, withIds))
                .thenApply(Settlements::ackResult);
    }

    /** Sends the scripts one after another: each uses its own time, and a later one must not overtake one that ends early. */
    CompletionStage<SettleResult> release(ReleaseRequest request) {
        boolean announce = request.announce();
        CallTokens.Call call = releases.begin(request.token());
        ScriptChain.Sender<ReleaseRequest.Item, SettleResult> sender =
                (part, token) -> release(part, token, announce, call);
        List<CompletableFuture<SettleResult>> parts = chain.sendInOrder(
                request.items(), request.token(), (part, token) -> sendUntilDone("retry", part, token, sender));
        return call.track(chain.combine("retry", parts)).thenApply(Settlements::merged);
    }

    private CompletionStage<SettleResult> release(
            List<ReleaseRequest.Item> items, String token, boolean announce, CallTokens.Call call) {
        byte[][] args = new byte[3 + 4 * items.size()][];
        args[0] = Limits.MEMORY_MILLIS;
        args[1] = announce ? keys.channel : ScriptArgs.EMPTY;
        args[2] = Limits.READ_BYTES;
        int at = 3;
        for (ReleaseRequest.Item item : items) {
            at = ScriptArgs.receipt(args, at, item.receipt());
            args[at++] = item.due() == null ? ScriptArgs.EMPTY : RedisKeys.bytes(ScriptArgs.due(item.due()));
            args[at++] = ScriptArgs.flag(item.counted());
        }
        byte[] key = keys.call(token);
        return link.run(keys.scripts.release, queue, releases.withObsolete(keys.all(key)), args)
                .thenApply(answer -> {
                    call.answered(key);
                    link.warnIfSignalRefused(queue, answer, 2);
                    return result(answer);
                });
    }

    /** A repetition sets the same end, or a slightly later one. */
    CompletionStage<SettleResult> extend(ExtendRequest request) {
        byte[] lease = RedisKeys.bytes(request.leaseMillis());
        return sendInAnyOrder("extend", request.receipts(), (part, token) -> extend(part, lease));
    }

    private CompletionStage<SettleResult> extend(List<Receipt> receipts, byte[] lease) {
        byte[][] args = new byte[2 + 2 * receipts.size()][];
        args[0] = lease;
        args[1] = Limits.READ_BYTES;
        int at = 2;
        for (Receipt receipt : receipts) {
            at = ScriptArgs.receipt(args, at, receipt);
        }
        return link.run(keys.scripts.extend, queue, keys.all(), args).thenApply(Settlements::result);
    }

    private <I> CompletionStage<SettleResult> sendInAnyOrder(
            String step, List<I> items, ScriptChain.Sender<I, SettleResult> sender) {
        return chain.sendInAnyOrder(step, items, "", (part, token) -> sendUntilDone(step, part, token, sender))
                .thenApply(Settlements::merged);
    }

    /**
     * Sends a script, and another one for the items that it did not reach. A script ends early if it would read too much, or
     * if it needs the ids. A repeated call derives the same tokens again.
     */
    private <I> CompletionStage<SettleResult> sendUntilDone(
            String step, List<I> items, String token, ScriptChain.Sender<I, SettleResult> sender) {
        return sender.send(items, token).thenCompose(result -> {
            int done = result.outcomes().size();
            if (done == items.size()) {
                return CompletableFuture.completedFuture(result);
            }
            CompletionStage<SettleResult> rest =
                    sendUntilDone(step, items.subList(done, items.size()), token + REST + done, sender);
            if (done == 0) {
                return rest;
            }
            return rest.exceptionally(failure -> {
                        throw chain.partlyDone(step, failure);
                    })
                    .thenApply(restResult -> merged(List.of(result, restResult)));
        });
    }

    private static SettleResult merged(List<SettleResult> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Outcome> outcomes = new ArrayList<>(Limits.MAX_SCRIPT * parts.size());
        long latest = 0;
        for (SettleResult part : parts) {
            outcomes.addAll(part.outcomes());
            latest = Math.max(latest, part.storageMillis());
        }
        return SettleResult.builder()
                .outcomes(outcomes)
                .storageMillis(latest)
                .promotedMillis(promoted(parts))
                .build();
    }

    /** The earliest due time of the messages that were blocked behind those of some results. */
    static OptionalLong promoted(List<SettleResult> parts) {
        return parts.stream()
                .map(SettleResult::promotedMillis)
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    /** The time at which the first message that was blocked is due, in the answer of a script that settles. */
    static OptionalLong promoted(List<Object> answer, int at) {
        return answer.size() <= at || ((byte[]) answer.get(at)).length == 0
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(text(answer.get(at))));
    }

    private static SettleResult result(List<Object> answer) {
        return SettleResult.builder()
                .outcomes(outcomes(answer))
                .storageMillis(number(answer.get(0)))
                .build();
    }

    private static SettleResult ackResult(List<Object> answer) {
        return SettleResult.builder()
                .outcomes(outcomes(answer))
                .storageMillis(number(answer.get(0)))
                .promotedMillis(promoted(answer, 2))
                .build();
    }

    /** The outcomes in the answer of a script that settles. */
    static List<Outcome> outcomes(List<Object> answer) {
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
}
