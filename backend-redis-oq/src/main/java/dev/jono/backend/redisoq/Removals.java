package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Removes messages by id, and purges the queue. */
final class Removals {
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final CallTokens tokens = new CallTokens(8);

    Removals(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<RemoveResult> remove(RemoveRequest request) {
        List<String> ids = request.ids();
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(RemoveResult.builder().build());
        }
        byte[][] args = new byte[1 + ids.size()][];
        args[0] = Limits.MEMORY_MILLIS;
        for (int i = 0; i < ids.size(); i++) {
            args[i + 1] = RedisKeys.bytes(ids.get(i));
        }
        byte[] key = keys.call(request.token());
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(link.run(keys.scripts.remove, queue, tokens.withObsolete(keys.all(key)), args)
                .thenApply(answer -> {
                    call.answered(key);
                    return RemoveResult.builder()
                            .outcomes(outcomes(text(answer.get(1))))
                            .build();
                }));
    }

    private static List<RemoveOutcome> outcomes(String letters) {
        List<RemoveOutcome> outcomes = new ArrayList<>(letters.length());
        for (int i = 0; i < letters.length(); i++) {
            outcomes.add(
                    switch (letters.charAt(i)) {
                        case 'R' -> RemoveOutcome.REMOVED;
                        case 'H' -> RemoveOutcome.HELD;
                        default -> RemoveOutcome.ABSENT;
                    });
        }
        return outcomes;
    }

    /** Removes page by page, each in a script of its own. Other clients may shift the ranks meanwhile: a second pass follows. */
    CompletionStage<Long> purge() {
        return keys.keyed
                ? purgeBlocked(ScriptArgs.EMPTY)
                        .thenCompose(blocked -> purgeUnblocked().thenApply(others -> blocked + others))
                : purgeUnblocked();
    }

    private CompletionStage<Long> purgeUnblocked() {
        return purgeFrom(0)
                .thenCompose(first -> first == 0
                        ? CompletableFuture.completedFuture(first)
                        : purgeFrom(0).thenApply(second -> first + second));
    }

    private CompletableFuture<Long> purgeBlocked(byte[] after) {
        return link.run(keys.scripts.purgeBlocked, queue, keys.all(), after, RedisKeys.bytes(Limits.MAX_SCRIPT))
                .thenCompose(answer -> {
                    long removed = number(answer.get(0));
                    byte[] last = (byte[]) answer.get(1);
                    return last.length == 0
                            ? CompletableFuture.completedFuture(removed)
                            : purgeBlocked(last).thenApply(more -> removed + more);
                });
    }

    private CompletableFuture<Long> purgeFrom(long rank) {
        return link.run(
                        keys.scripts.purge,
                        queue,
                        keys.all(),
                        RedisKeys.bytes(rank),
                        RedisKeys.bytes(Limits.MAX_SCRIPT),
                        Limits.READ_BYTES)
                .thenCompose(answer -> {
                    long removed = number(answer.get(0));
                    return number(answer.get(2)) == 1
                            ? CompletableFuture.completedFuture(removed)
                            : purgeFrom(rank + number(answer.get(1))).thenApply(more -> removed + more);
                });
    }
}
