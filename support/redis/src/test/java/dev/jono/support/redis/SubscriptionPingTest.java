package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.SettableClock;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A subscription on which nothing arrives. */
@Tag("fault")
class SubscriptionPingTest {
    private static final Script PROBE = Script.of("probe", false, "return {1}");
    private static final Duration QUIET = Duration.ofNanos(SubscriptionPing.QUIET_NANOS);

    private final SettableClock clock = new SettableClock();
    private final RedisServer redis = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
    private final RedisLink link = Links.open("redis://127.0.0.1:" + proxy.port() + "?jono.timeout=400ms", clock, null);
    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicInteger heard = new AtomicInteger();

    @BeforeEach
    void subscribe() {
        link.pubSub().addListener(new RedisPubSubAdapter<>() {
            @Override
            public void subscribed(byte[] channel, long count) {
                confirmed.incrementAndGet();
            }

            @Override
            public void message(byte[] channel, byte[] message) {
                heard.incrementAndGet();
            }
        });
        link.pubSub().sync().subscribe(RedisKeys.bytes("c"));
        Awaitility.await("the subscription").until(() -> confirmed.get() == 1);
    }

    @AfterEach
    void end() {
        link.close();
        proxy.close();
        redis.close();
    }

    private long pings() {
        return String.valueOf(redis.call("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_ping:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^=]*=(\\d+),.*", "$1")))
                .sum();
    }

    private String subscriber() {
        return String.valueOf(redis.call("CLIENT", "LIST", "TYPE", "pubsub"));
    }

    private void probe() {
        assertThat(Links.got(link.probe(PROBE, "orders", Links.KEY))).hasSize(1);
    }

    @Test
    void vanishedServerIsNoticedAndTheSubscriptionRenewed() {
        long before = pings();
        proxy.freeze();
        clock.advance(QUIET.plusMillis(1));
        // The ping is sent and lost: the connection is closed at the timeout.
        Awaitility.await("a new subscription")
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    clock.advance(Duration.ofMillis(100));
                    return confirmed.get() >= 2;
                });
        redis.call("PUBLISH", "c", "hello");
        Awaitility.await("a message").until(() -> heard.get() == 1);
        assertThat(pings()).as("pings that the server received").isEqualTo(before);
    }

    @Test
    void quietServerIsPingedOncePerInterval() {
        long before = pings();
        for (int i = 1; i <= 3; i++) {
            clock.advance(QUIET.plusMillis(1));
            int sent = i;
            Awaitility.await("ping " + i).until(() -> pings() == before + sent);
        }
        assertThat(confirmed).hasValue(1);
    }

    @Test
    void probesAndMessagesReplaceThePing() {
        long before = pings();
        for (int i = 1; i <= 4; i++) {
            clock.advance(Duration.ofSeconds(15));
            if (i % 2 == 0) {
                probe();
            } else {
                int messages = heard.get();
                redis.call("PUBLISH", "c", "hello");
                Awaitility.await("a message").until(() -> heard.get() > messages);
            }
        }
        assertThat(pings()).isEqualTo(before);
    }

    @Test
    void probesAreSentOnTheConnectionForSubscriptions() {
        probe();
        assertThat(subscriber()).contains("cmd=eval");
        redis.call("PUBLISH", "c", "hello");
        Awaitility.await("a message").until(() -> heard.get() == 1);
    }

    @Test
    void probeThatFailsThereIsSentAgainOnTheOther() {
        redis.call("CLIENT", "KILL", "TYPE", "pubsub");
        for (int i = 0; i < 20; i++) {
            probe();
        }
    }

    @Test
    void noPingIsSentWithoutASubscription() {
        long before = pings();
        link.pubSub().sync().unsubscribe(RedisKeys.bytes("c"));
        Awaitility.await("the end of the subscription")
                .until(() -> redis.callForList("PUBSUB", "CHANNELS").isEmpty());
        Awaitility.await("its confirmation").untilAsserted(() -> {
            clock.advance(QUIET.plusMillis(1));
            assertThat(clock.pendingTimers()).isZero();
        });
        assertThat(pings()).isEqualTo(before);
    }
}
