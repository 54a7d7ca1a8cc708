package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a storage is asked while people look, and while nobody does: counted by a Redis server. */
class QuietTest {
    /** All commands but those of this test. */
    private static long commands(RedisServer redis) {
        return String.valueOf(redis.call("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_") && !line.startsWith("cmdstat_info"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private static void assertQuiet(RedisServer redis, String when) {
        Awaitility.await(when).atMost(Duration.ofSeconds(40)).until(() -> {
            long before = commands(redis);
            Awaitility.await(when).pollDelay(Duration.ofSeconds(2)).until(() -> true);
            return commands(redis) == before;
        });
    }

    @Test
    void nobodyLookingCostsNothingAndTenViewersCostWhatOneCosts() throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri());
                Site site = Site.of(Dashboard.of(jono))) {
            jono.queue("orders", String.class).push("hello");
            List<InputStream> viewers = new ArrayList<>();
            try {
                viewers.add(view(site));
                long one = inThreeSeconds(redis);
                assertThat(one).as("one viewer").isPositive();
                for (int i = 0; i < 9; i++) {
                    viewers.add(view(site));
                }
                assertThat(inThreeSeconds(redis)).as("ten viewers").isLessThan(2 * one);
            } finally {
                for (InputStream viewer : viewers) {
                    viewer.close();
                }
            }
            assertQuiet(redis, "nobody looks any more");
        }
    }

    private static InputStream view(Site site) throws Exception {
        InputStream events =
                URI.create(site.url("/api/v1/events?queue=orders")).toURL().openStream();
        assertThat(events.read()).isPositive();
        return events;
    }

    private static long inThreeSeconds(RedisServer redis) {
        long before = commands(redis);
        Awaitility.await("time").pollDelay(Duration.ofSeconds(3)).until(() -> true);
        return commands(redis) - before;
    }

    @Test
    void pagesAreReadOnceAndThenNothing() {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri());
                Site site = Site.of(Dashboard.of(jono))) {
            jono.queue("orders", String.class).push("hello");
            assertThat(site.text("/queues/orders")).contains("orders");
            assertThat(site.text("/")).contains("Overview");
            assertQuiet(redis, "nobody looks");
        }
    }
}
