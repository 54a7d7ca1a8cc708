package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis may forget all scripts at any time, even between two scripts of one call. */
class ForgottenScriptsTest {
    private static final int LISTS = 60;
    private static final int MESSAGES = 1_000;

    /** Each list needs several scripts. Unknown scripts are sent again after the later ones have arrived. */
    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void longListsKeepTheirOrderWhereScriptsAreForgottenAllTheTime(String backend) {
        AtomicBoolean ended = new AtomicBoolean();
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri());
                QueueFactory other = QueueFactory.connect(backend + ":" + redis.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            MessageQueue<String> others = other.queue("others", Codec.string());
            CompletableFuture<Void> forgetting = CompletableFuture.runAsync(() -> {
                while (!ended.get()) {
                    redis.call("SCRIPT", "FLUSH");
                    others.push("so Redis knows the script again");
                }
            });
            try {
                assertTimeout(Duration.ofMinutes(2), () -> {
                    for (int i = 0; i < LISTS; i++) {
                        List<String> list = IntStream.range(0, MESSAGES)
                                .mapToObj(n -> n + "x".repeat(200))
                                .toList();
                        orders.pushAll(list);
                        assertThat(popped(orders)).as("list %d", i).isEqualTo(list);
                    }
                });
            } finally {
                ended.set(true);
            }
            forgetting.join();
        }
    }

    private static List<String> popped(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        while (all.size() < MESSAGES) {
            List<Message<String>> some = queue.pop(MESSAGES, Duration.ofSeconds(5));
            assertThat(some).as("behind %d", all.size()).isNotEmpty();
            some.stream().map(Message::payload).forEach(all::add);
        }
        return all;
    }
}
