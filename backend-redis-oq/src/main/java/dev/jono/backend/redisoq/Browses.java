package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.RemoveOutcome;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Looks into a queue, counts, and removes by hand. */
final class Browses {
    /** Messages that one script shows or looks at. */
    private static final int PAGE = RedisOqBackend.MAX_SCRIPT;
    /** Reservations that a browse puts into their places; more stand at the ends of their leases. */
    private static final byte[] ORDERED_LEASES = RedisKeys.bytes(300);

    /** Leases whose messages one script counts: another makes a round trip more. */
    private static final byte[] COUNTED_LEASES = RedisKeys.bytes(500);

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final CallTokens tokens = new CallTokens(8);

    Browses(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
    }

    /** The calls that Redis remembers of this. */
    List<CallTokens> tokens() {
        return List.of(tokens);
    }

    CompletionStage<RemoveResult> remove(RemoveRequest request) {
        List<String> ids = request.ids();
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(RemoveResult.builder().build());
        }
        byte[][] args = new byte[1 + ids.size()][];
        args[0] = RedisOqQueue.MEMORY_MILLIS;
        for (int i = 0; i < ids.size(); i++) {
            args[i + 1] = RedisKeys.bytes(ids.get(i));
        }
        byte[] call = keys.call(request.token());
        byte[][] names = {keys.index, keys.hash, keys.claims, call};
        CallTokens.Call remembered = tokens.begin(request.token());
        return remembered.track(link.run(Scripts.REMOVE, queue, tokens.withObsolete(names), args)
                .thenApply(answer -> {
                    remembered.answered(call);
                    String letters = text(answer.get(1));
                    List<RemoveOutcome> outcomes = new ArrayList<>(letters.length());
                    for (int i = 0; i < letters.length(); i++) {
                        outcomes.add(
                                switch (letters.charAt(i)) {
                                    case 'R' -> RemoveOutcome.REMOVED;
                                    case 'H' -> RemoveOutcome.HELD;
                                    default -> RemoveOutcome.ABSENT;
                                });
                    }
                    return RemoveResult.builder().outcomes(outcomes).build();
                }));
    }

    CompletionStage<BrowseResult> browse(BrowseRequest request) {
        if (request.ids().isEmpty()) {
            String after = request.after();
            return page(after == null ? "" : after, request.limit(), new ArrayList<>());
        }
        return byIds(request.ids(), 0, new ArrayList<>());
    }

    private CompletableFuture<BrowseResult> byIds(List<String> ids, int from, List<StoredMessage> messages) {
        int to = Math.min(ids.size(), from + PAGE);
        byte[][] args = new byte[1 + to - from][];
        args[0] = RedisOqQueue.READ_BYTES;
        for (int i = from; i < to; i++) {
            args[1 + i - from] = RedisKeys.bytes(ids.get(i));
        }
        return link.run(Scripts.FIND, queue, new byte[][] {keys.index, keys.hash, keys.claims}, args)
                .thenCompose(answer -> {
                    long now = addMessages(answer, messages);
                    int next = from + (int) number(answer.get(1));
                    return next == ids.size()
                            ? CompletableFuture.completedFuture(result(messages, now))
                            : byIds(ids, next, messages);
                });
    }

    private CompletableFuture<BrowseResult> page(String after, int limit, List<StoredMessage> messages) {
        int most = Math.min(PAGE, limit - messages.size());
        return link.run(
                        Scripts.BROWSE,
                        queue,
                        new byte[][] {keys.index, keys.hash, keys.claims},
                        RedisKeys.bytes(most),
                        RedisKeys.bytes(after),
                        ORDERED_LEASES,
                        RedisOqQueue.READ_BYTES)
                .thenCompose(answer -> {
                    long now = addMessages(answer, messages);
                    String next = text(answer.get(1));
                    return next.isEmpty() || messages.size() >= limit
                            ? CompletableFuture.completedFuture(result(messages, now))
                            : page(next, limit, messages);
                });
    }

    private static long addMessages(List<Object> answer, List<StoredMessage> messages) {
        long now = number(answer.get(0));
        for (int i = 2; i < answer.size(); i += 5) {
            String id = text(answer.get(i));
            String place = text(answer.get(i + 2)) + id;
            boolean leased = number(answer.get(i + 3)) == 1;
            messages.add(MessageReader.browsed(
                    id, number(answer.get(i + 1)), place, leased, (byte[]) answer.get(i + 4), now));
        }
        return now;
    }

    private static BrowseResult result(List<StoredMessage> messages, long now) {
        return BrowseResult.builder().messages(messages).storageMillis(now).build();
    }

    CompletionStage<CountsResult> counts() {
        return countsFrom(ScriptArgs.EMPTY)
                .thenCompose(first -> addReserved(first, number(first.get(3))).thenApply(reserved -> {
                    long ready = number(first.get(2));
                    long next = number(first.get(5));
                    CountsResult.Builder counts = CountsResult.builder()
                            .storageMillis(number(first.get(0)))
                            .ready(ready)
                            .scheduled(Math.max(0, number(first.get(1)) - ready - reserved))
                            .reserved(reserved)
                            .nextMillis(next < 0 ? ClaimResult.NONE : next);
                    return (ready == 0 ? counts : counts.oldestReadyMillis(number(first.get(6)))).build();
                }));
    }

    private CompletableFuture<List<Object>> countsFrom(byte[] place) {
        return link.run(
                Scripts.COUNTS,
                queue,
                new byte[][] {keys.index, keys.hash, keys.claims},
                place,
                COUNTED_LEASES,
                RedisOqQueue.READ_BYTES);
    }

    /** How many are reserved, with those that are left to count. */
    private CompletableFuture<Long> addReserved(List<Object> answer, long sum) {
        byte[] rest = (byte[]) answer.get(4);
        return rest.length == 0
                ? CompletableFuture.completedFuture(sum)
                : countsFrom(rest).thenCompose(more -> addReserved(more, sum + number(more.get(3))));
    }

    /** Page by page, each in a script of its own. Others may shift the ranks meanwhile, so a second round looks again. */
    CompletionStage<Long> purge() {
        return purgeFrom(0)
                .thenCompose(first -> first == 0
                        ? CompletableFuture.completedFuture(first)
                        : purgeFrom(0).thenApply(second -> first + second));
    }

    private CompletableFuture<Long> purgeFrom(long rank) {
        return link.run(
                        Scripts.PURGE,
                        queue,
                        new byte[][] {keys.index, keys.hash, keys.claims},
                        RedisKeys.bytes(rank),
                        RedisKeys.bytes(PAGE),
                        RedisOqQueue.READ_BYTES)
                .thenCompose(answer -> {
                    long removed = number(answer.get(0));
                    return number(answer.get(2)) == 1
                            ? CompletableFuture.completedFuture(removed)
                            : purgeFrom(rank + number(answer.get(1))).thenApply(more -> removed + more);
                });
    }
}
