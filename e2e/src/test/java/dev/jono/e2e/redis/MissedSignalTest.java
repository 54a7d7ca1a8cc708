package dev.jono.e2e.redis;

import static dev.jono.e2e.faults.Waits.assertGets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.e2e.faults.Waits;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that lost its subscription subscribes again, and catches up long before its poll interval ends. */
@Tag("fault")
class MissedSignalTest {
    private RedisServer redis;
    private TcpProxy proxy;
    private QueueFactory direct;
    private QueueFactory cutOff;

    @BeforeEach
    void connect() {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.host(), redis.port());
        direct = QueueFactory.connect("redis-oq:" + redis.uri());
        cutOff = QueueFactory.builder("redis-oq:redis://127.0.0.1:" + proxy.port())
                .queueDefaults(Waits.options())
                .connect();
    }

    @AfterEach
    void close() {
        cutOff.close();
        direct.close();
        proxy.close();
        redis.close();
    }

    private void awaitSubscribed(int queues) {
        awaitChannels(queues);
        Waits.awaitQuiet(proxy);
    }

    private void awaitChannels(int count) {
        Awaitility.await("subscriptions")
                .atMost(Waits.SOON)
                .until(() -> redis.callForList("PUBSUB", "CHANNELS").size() == count);
    }

    private void cut() {
        proxy.refuse();
        proxy.cutAll();
        awaitChannels(0);
    }

    @Test
    void messagePushedDuringTheLossIsFoundAfterIt() {
        CompletableFuture<Optional<Message<String>>> pop = Waits.pop(cutOff, "orders");
        awaitSubscribed(1);
        cut();
        direct.queue("orders", Codec.string()).push("a");
        assertThat(pop).isNotDone();
        proxy.accept();
        assertGets(pop, "a");
    }

    @Test
    void pauseDuringTheLossHoldsAfterIt() {
        MessageQueue<String> orders = direct.queue("orders", Codec.string());
        CompletableFuture<Optional<Message<String>>> pop = Waits.pop(cutOff, "orders");
        CompletableFuture<Optional<Message<String>>> behind = Waits.pop(cutOff, "others");
        awaitSubscribed(2);
        cut();
        orders.pause();
        proxy.accept();
        awaitSubscribed(2);
        orders.push("a");
        direct.queue("others", Codec.string()).push("behind");
        assertGets(behind, "behind");
        Waits.awaitQuiet(proxy);
        assertThat(pop).isNotDone();
        assertThat(orders.size()).isEqualTo(1);
        orders.resume();
        assertGets(pop, "a");
    }
}
