package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a queue with ordering keys keeps in Redis. */
class KeyedLayoutTest extends QueueOnRedis {
    private static final int KEYS = 50_000;
    private static final int IN_FLIGHT = 1000;

    private static MessageQueue<String> keyed(QueueFactory jono) {
        return jono.queue(
                "orders", Codec.string(), QueueOptions.builder().keyed().build());
    }

    private List<Object> keys(String pattern) {
        return List.copyOf(redis.callForList("KEYS", pattern));
    }

    @Test
    void keysThatAppearAndVanishLeaveNothing() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = keyed(jono);
            for (int first = 0; first < KEYS; first += IN_FLIGHT) {
                List<CompletableFuture<?>> pushed = new ArrayList<>();
                for (int i = first; i < first + IN_FLIGHT; i++) {
                    pushed.add(queue.pushAsync("x", PushOptions.none().key("k" + i)));
                }
                CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new))
                        .join();
            }
            assertThat(redis.call("ZCARD", "jono:oq:keyed:order:orders")).isEqualTo((long) KEYS);
            for (int left = KEYS; left > 0; ) {
                List<Reservation<String>> held = queue.reserve(300, Duration.ofSeconds(10));
                queue.ackAll(held);
                left -= held.size();
            }
            assertThat(queue.totalSize()).isZero();
        }
        assertThat(keys("jono:oq:keyed:*")).isEmpty();
        assertThat(redis.callForList("HKEYS", INDEX)).map(String::valueOf).containsExactlyInAnyOrder("keyed", "last");
    }

    @Test
    void programThatDoesNotKnowKeysIsRefusedByRedis() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            keyed(jono).push("x", PushOptions.none().key("a"));
            assertThatThrownBy(() -> redis.call("ZADD", INDEX, "1", "id")).hasMessageContaining("WRONGTYPE");
            assertThat(jono.queues()).contains("orders");
        }
    }

    @Test
    void heldMessageHasNoMarkForKeuss() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = keyed(jono);
            queue.push("x", PushOptions.none().key("a"));
            List<Object> pushed = List.copyOf(redis.callForList("HVALS", "jono:oq:keyed:hash:orders"));
            Reservation<String> held = queue.reserve(Duration.ofSeconds(10)).orElseThrow();
            assertThat(redis.callForList("HVALS", "jono:oq:keyed:hash:orders"))
                    .map(String::valueOf)
                    .hasSize(1)
                    .containsExactlyElementsOf(
                            pushed.stream().map(String::valueOf).toList());
            held.ack();
        }
    }

    @Test
    void deletedQueueLeavesNothing() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = keyed(jono);
            for (int i = 0; i < 3; i++) {
                queue.push("x", PushOptions.none().key("a"));
            }
            assertThat(queue.deleteWithMessages()).isEqualTo(3);
            assertThat(keys("jono:oq:keyed:*")).isEmpty();
            assertThat(keys(INDEX)).isEmpty();
        }
    }

    @Test
    void uniqueKeysExpireInRedis() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            jono.queue("orders", Codec.string()).push("x", PushOptions.none().unique("a:b", Duration.ofMinutes(5)));
        }
        assertThat(keys("jono:oq:unique:*")).map(String::valueOf).containsExactly("jono:oq:unique:6:orders:a:b");
        assertThat((Long) redis.call("PTTL", "jono:oq:unique:6:orders:a:b")).isBetween(1L, 300_000L);
    }

    @Test
    void keysFromBeforeADeletionStayForgottenUntilTheirWindowsEnd() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            PushOptions unique = PushOptions.none().unique("long", Duration.ofHours(1));
            queue.push("a", unique);
            queue.deleteWithMessages();
            queue.push("b", PushOptions.none().unique("short", Duration.ofMinutes(1)));
            queue.deleteWithMessages();
            assertThat((Long) redis.call("PTTL", "jono:oq:deletion:orders")).isBetween(3_500_000L, 3_600_000L);
            assertThat(queue.push("c", unique).duplicate()).isFalse();
        }
    }

    @Test
    void aDeletionIsNotRememberedWithoutUniqueKeys() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            queue.push("a");
            queue.deleteWithMessages();
            assertThat(keys("jono:oq:windows:*")).isEmpty();
            assertThat(keys("jono:oq:deletion:*")).isEmpty();
        }
    }
}
