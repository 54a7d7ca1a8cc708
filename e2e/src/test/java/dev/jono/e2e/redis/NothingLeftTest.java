package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues that are used once and deleted leave no key in Redis, neither of their own nor in the stats. */
class NothingLeftTest {
    private static final int QUEUES = 200;

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void queuesThatAreOverLeaveNoKey(String backend) throws InterruptedException {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri())) {
            for (int i = 0; i < QUEUES; i++) {
                MessageQueue<String> reply = jono.queue("reply-" + i, Codec.string());
                use(reply);
                // Flushes the counters before the delete, as in a queue that lives longer.
                assertThat(reply.stats().pushed()).isEqualTo(1);
                reply.delete();
            }
            MessageQueue<String> paused = jono.queue("paused", Codec.string());
            paused.pause();
            paused.push("left");
            paused.deleteWithMessages();
            assertThat(redis.callForList("KEYS", "*")).isEmpty();
        }
    }

    private static void use(MessageQueue<String> queue) throws InterruptedException {
        queue.push("once");
        if (queue.capabilities().contains(Capability.RESERVE)) {
            queue.reserve(Duration.ofSeconds(10)).orElseThrow().release();
            queue.reserve(Duration.ofSeconds(10)).orElseThrow().ack();
        } else {
            assertThat(queue.pop(Duration.ofSeconds(10))).isPresent();
        }
    }
}
