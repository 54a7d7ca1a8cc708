package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Returns messages without taking them: page by page in the order of the queue, or by id. */
final class Browses {
    private static final int PAGE = Limits.MAX_SCRIPT;

    // What the scripts tell of a message.
    private static final int LEASED = 1;
    private static final int BLOCKED = 2;

    /** How many reserved messages a page shows at their positions before the claim. More appear at the ends of their leases. */
    private static final byte[] ORDERED_LEASES = RedisKeys.bytes(300);

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;

    Browses(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
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
        args[0] = Limits.READ_BYTES;
        for (int i = from; i < to; i++) {
            args[1 + i - from] = RedisKeys.bytes(ids.get(i));
        }
        return link.run(keys.scripts.find, queue, keys.all(), args).thenCompose(answer -> {
            long now = addMessages(answer, messages);
            int next = from + (int) number(answer.get(1));
            return next == ids.size()
                    ? CompletableFuture.completedFuture(result(messages, now))
                    : byIds(ids, next, messages);
        });
    }

    private CompletableFuture<BrowseResult> page(String after, int limit, List<StoredMessage> messages) {
        int max = Math.min(PAGE, limit - messages.size());
        return link.run(
                        keys.scripts.browse,
                        queue,
                        keys.all(),
                        RedisKeys.bytes(max),
                        RedisKeys.bytes(after),
                        ORDERED_LEASES,
                        Limits.READ_BYTES)
                .thenCompose(answer -> {
                    long now = addMessages(answer, messages);
                    String next = text(answer.get(1));
                    return next.isEmpty() || messages.size() >= limit
                            ? CompletableFuture.completedFuture(result(messages, now))
                            : page(next, limit, messages);
                });
    }

    /** Decodes the messages of an answer, and returns the server's time. */
    private static long addMessages(List<Object> answer, List<StoredMessage> messages) {
        long now = number(answer.get(0));
        for (int i = 2; i < answer.size(); i += 5) {
            String id = text(answer.get(i));
            long score = number(answer.get(i + 1));
            String cursor = text(answer.get(i + 2)) + id;
            byte[] text = (byte[]) answer.get(i + 4);
            int state = (int) number(answer.get(i + 3));
            messages.add(
                    state == BLOCKED
                            ? MessageReader.blocked(id, score, cursor, text)
                            : MessageReader.browsed(id, score, cursor, state == LEASED, text, now));
        }
        return now;
    }

    private static BrowseResult result(List<StoredMessage> messages, long now) {
        return BrowseResult.builder().messages(messages).storageMillis(now).build();
    }
}
