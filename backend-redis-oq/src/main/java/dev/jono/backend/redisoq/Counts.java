package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts the messages of a queue. */
final class Counts {
    /** Leases that one script counts. More need further round trips. */
    private static final byte[] COUNTED_LEASES = RedisKeys.bytes(500);

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;

    Counts(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
    }

    CompletionStage<CountsResult> counts() {
        return countFrom(ScriptArgs.EMPTY)
                .thenCompose(first ->
                        addReserved(first, number(first.get(3))).thenApply(reserved -> result(first, reserved)));
    }

    private static CountsResult result(List<Object> answer, long reserved) {
        long ready = number(answer.get(2));
        long next = number(answer.get(5));
        CountsResult.Builder counts = CountsResult.builder()
                .storageMillis(number(answer.get(0)))
                .ready(ready)
                .scheduled(Math.max(0, number(answer.get(1)) - ready - reserved))
                .reserved(reserved)
                .blocked(number(answer.get(7)))
                .nextMillis(next < 0 ? ClaimResult.NONE : next);
        return (ready == 0 ? counts : counts.oldestReadyMillis(number(answer.get(6)))).build();
    }

    /** Counts from a lease on, which an earlier answer named; from the first one if it is empty. */
    private CompletableFuture<List<Object>> countFrom(byte[] lease) {
        return link.run(keys.scripts.counts, queue, keys.all(), lease, COUNTED_LEASES, Limits.READ_BYTES);
    }

    /** Adds the reserved messages of the leases that a script did not reach. */
    private CompletableFuture<Long> addReserved(List<Object> answer, long sum) {
        byte[] rest = (byte[]) answer.get(4);
        return rest.length == 0
                ? CompletableFuture.completedFuture(sum)
                : countFrom(rest).thenCompose(more -> addReserved(more, sum + number(more.get(3))));
    }
}
