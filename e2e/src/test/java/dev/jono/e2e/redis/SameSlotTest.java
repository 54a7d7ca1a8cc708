package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.testkit.server.RedisCluster;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** On a Cluster a queue may have its own dead-letter queue, in the same slot. */
class SameSlotTest {
    private static Reservation<String> reserved(MessageQueue<String> queue) throws InterruptedException {
        return queue.reserve(Duration.ofSeconds(10)).orElseThrow();
    }

    @Test
    void deadLettersOfOneQueueStandBesideItAndGoBack() throws InterruptedException {
        String name = "orders" + UUID.randomUUID();
        String dead = "{" + name + "}dead";
        QueueOptions own = QueueOptions.builder()
                .deadLetter(DeadLetter.after(2).queue(dead))
                .build();
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + RedisCluster.sharedUri())) {
            MessageQueue<String> orders = jono.queue(name, Codec.string(), own);
            orders.push("tried");
            reserved(orders).retry(Duration.ZERO);
            reserved(orders).retry(Duration.ZERO);
            orders.push("rejected");
            reserved(orders).reject("wrong");
            assertThat(orders.totalSize()).isZero();

            MessageQueue<String> letters = jono.queue(dead, Codec.string());
            assertThat(letters.size()).isEqualTo(2);
            assertThat(letters.redrive(1)).isEqualTo(1);
            Message<String> back = orders.pop(Duration.ofSeconds(10)).orElseThrow();
            assertThat(back.payload()).isEqualTo("tried");
            Message<String> left = letters.pop(Duration.ofSeconds(10)).orElseThrow();
            assertThat(left.payload()).isEqualTo("rejected");
            assertThat(left.headers().get("x-dl-from-queue")).isEqualTo(name);
        }
    }
}
