package dev.jono.e2e.redis;

import static dev.jono.e2e.faults.Waits.assertGets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.e2e.faults.Waits;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A consumer that missed the signal of a pause reads the flag before it takes messages that were pushed later. */
@Timeout(120)
@Tag("fault")
class PausedWhileCutOffTest {
    private static void awaitChannels(RedisServer redis, int count) {
        Awaitility.await("subscriptions")
                .atMost(Waits.SOON)
                .until(() -> redis.callForList("PUBSUB", "CHANNELS").size() == count);
    }

    @Test
    void afterALostConnection() {
        try (RedisServer redis = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
                QueueFactory direct = QueueFactory.connect("redis-oq:" + redis.uri());
                QueueFactory cutOff = QueueFactory.builder("redis-oq:redis://127.0.0.1:" + proxy.port())
                        .queueDefaults(Waits.options())
                        .connect()) {
            MessageQueue<String> orders = direct.queue("orders", Codec.string());
            CompletableFuture<Optional<Message<String>>> pop = Waits.pop(cutOff, "orders");
            awaitChannels(redis, 1);
            Waits.awaitQuiet(proxy);
            proxy.refuse();
            proxy.cutAll();
            awaitChannels(redis, 0);
            orders.pause();
            orders.push("a");
            proxy.accept();
            awaitChannels(redis, 1);
            Waits.awaitQuiet(proxy);
            assertThat(orders.size()).isEqualTo(1);
            assertThat(pop).isNotDone();
            orders.resume();
            assertGets(pop, "a");
        }
    }

    /**
     * In these tests signals are always missed. With stats "redis:" the probe also reads the flag, with separate stats
     * it does not.
     */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void atThePollInterval(boolean carried) {
        try (RedisServer redis = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
                QueueFactory direct = QueueFactory.connect("redis-oq:" + redis.uri());
                QueueFactory deaf = QueueFactory.builder("redis-oq:redis://127.0.0.1:" + proxy.port())
                        .signaller("local:")
                        .stats(carried ? "redis:" : "redis:" + redis.uri())
                        .queueDefaults(QueueOptions.builder()
                                .pollInterval(Duration.ofSeconds(2))
                                .build())
                        .connect()) {
            MessageQueue<String> orders = direct.queue("orders", Codec.string());
            CompletableFuture<Optional<Message<String>>> pop = Waits.pop(deaf, "orders");
            Waits.awaitQuiet(proxy);
            orders.pause();
            orders.push("a");
            long before = proxy.replyBytes();
            Awaitility.await("a poll").atMost(Waits.SOON).until(() -> proxy.replyBytes() > before);
            Waits.awaitQuiet(proxy);
            assertThat(orders.size()).isEqualTo(1);
            assertThat(pop).isNotDone();
            orders.resume();
            assertGets(pop, "a");
        }
    }
}
