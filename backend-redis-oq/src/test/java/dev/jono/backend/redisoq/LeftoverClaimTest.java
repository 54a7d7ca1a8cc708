package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Claims that outlive their messages, because a keuss process has settled them, which does not know claims. */
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class LeftoverClaimTest {
    private static List<StoredMessage> claim(RawBackend jono, int max, Duration lease) {
        return got(jono.store()
                        .claim(ClaimRequest.builder()
                                .max(max)
                                .leaseMillis(lease.toMillis())
                                .token(RawBackend.token())
                                .isolateTries(24)
                                .isolateExpiredTries(2)
                                .build()))
                .messages();
    }

    @Test
    void anExpiredClaimGivesBackNoMessageThatAnotherConsumerHolds() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RawBackend jono = RawBackend.open("redis-oq:" + redis.uri())) {
            jono.insert("a", "b");
            List<StoredMessage> first = claim(jono, 2, Duration.ofMillis(20));
            assertThat(first).hasSize(2);
            // As keuss does, which does not know claims.
            String gone = first.get(0).id();
            redis.call("ZREM", "keuss:q:ordered_queue:index:orders", gone);
            redis.call("HDEL", "keuss:q:ordered_queue:hash:orders", gone);
            await().until(() ->
                    got(jono.store().counts(CountsRequest.builder().build())).ready() == 1);

            // A claim of one message sweeps one entry: that of the removed message.
            List<StoredMessage> second = claim(jono, 1, Duration.ofSeconds(30));
            assertThat(second)
                    .extracting(StoredMessage::id)
                    .containsExactly(first.get(1).id());
            assertThat(second.get(0).dueMillis()).isEqualTo(first.get(1).dueMillis());
            assertThat(claim(jono, 1, Duration.ofSeconds(30))).isEmpty();
            assertThat(got(jono.store()
                                    .ack(SettleRequest.builder()
                                            .receipts(List.of(second.get(0).receipt()))
                                            .token(RawBackend.token())
                                            .build()))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
            assertThat(redis.call("EXISTS", "keuss:q:ordered_queue:index:orders"))
                    .isEqualTo(0L);
        }
    }
}
