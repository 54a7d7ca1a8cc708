package dev.jono.stats.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.StorageException;
import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class RedisStatsTest {
    private final RedisServer server = RedisServer.start();

    @AfterEach
    void end() {
        server.close();
    }

    private static <T> T got(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void add(StatsStore stats, String queue, long count) throws Exception {
        got(stats.add(Map.of(queue, Map.of(Counter.PUSHED, count))));
    }

    private Map<String, String> hash(String key) {
        List<?> flat = server.callForList("HGETALL", key);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put((String) flat.get(i), (String) flat.get(i + 1));
        }
        return fields;
    }

    @Test
    void hashIsTheOneOfKeuss() throws Exception {
        try (StatsStore stats = RedisStatsContractTest.open(server.uri(), "NS")) {
            got(stats.add(Map.of(
                    "qs",
                    Map.of(
                            Counter.PUSHED,
                            1L,
                            Counter.POPPED,
                            2L,
                            Counter.RESERVED,
                            3L,
                            Counter.ACKED,
                            4L,
                            Counter.RETRIED,
                            5L,
                            Counter.DEAD_LETTERED,
                            6L,
                            Counter.RELEASED,
                            7L))));
            got(stats.setPaused("qs", true));
            assertThat(hash("keuss:stats:NS:qs"))
                    .isEqualTo(Map.ofEntries(
                            Map.entry("name", "qs"),
                            Map.entry("ns", "NS"),
                            Map.entry("opts", "{}"),
                            Map.entry("paused", "true"),
                            Map.entry("counter_put", "1"),
                            Map.entry("counter_get", "2"),
                            Map.entry("counter_reserve", "3"),
                            Map.entry("counter_commit", "4"),
                            Map.entry("counter_rollback", "5"),
                            Map.entry("counter_deadletter", "6"),
                            Map.entry("counter_release", "7")));
            got(stats.setPaused("qs", false));
            assertThat(hash("keuss:stats:NS:qs")).containsEntry("paused", "false");
            got(stats.clear("qs"));
            assertThat(hash("keuss:stats:NS:qs")).isEqualTo(Map.of("name", "qs", "ns", "NS", "paused", "false"));
        }
    }

    @Test
    void fieldsOfOtherClientsAreKept() throws Exception {
        String key = "keuss:stats:NS:qs";
        server.call("HSET", key, "opts", "{\"reserve_delay\":7}", "counter_put", "many", "counter_stream.a.put", "3");
        try (StatsStore stats = RedisStatsContractTest.open(server.uri(), "NS")) {
            got(stats.add(Map.of("qs", Map.of(Counter.POPPED, 1L))));
            assertThat(got(stats.read("qs"))).isEqualTo(Map.of(Counter.POPPED, 1L));
            assertThat(hash(key))
                    .containsEntry("opts", "{\"reserve_delay\":7}")
                    .containsEntry("counter_stream.a.put", "3");
            got(stats.clear("qs"));
            assertThat(hash(key)).doesNotContainKeys("opts", "counter_stream.a.put", "counter_put", "counter_get");
        }
    }

    @Test
    void namespaceWithPatternCharactersListsOnlyItsOwnQueues() throws Exception {
        try (StatsStore star = RedisStatsContractTest.open(server.uri(), "E*");
                StatsStore plain = RedisStatsContractTest.open(server.uri(), "E2")) {
            add(star, "a", 1);
            add(plain, "b", 1);
            assertThat(got(star.queues())).containsExactly("a");
            assertThat(got(plain.queues())).containsExactly("b");
        }
    }

    @Test
    void thousandQueuesAreCountedAndListed() throws Exception {
        Map<String, Map<Counter, Long>> deltas = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            deltas.put("q" + i, Map.of(Counter.PUSHED, (long) i, Counter.ACKED, 1L));
        }
        try (StatsStore stats = RedisStatsContractTest.open(server.uri(), "NS")) {
            got(stats.add(deltas));
            got(stats.setPaused("q7", true));
            assertThat(got(stats.queues())).isEqualTo(deltas.keySet());
            assertThat(got(stats.paused(deltas.keySet()))).containsExactly("q7");
            assertThat(got(stats.read("q4999"))).containsEntry(Counter.PUSHED, 4_999L);
        }
    }

    @Test
    void incrementWhoseAnswerIsLostIsNotMadeTwice() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                StatsStore stats = RedisStatsContractTest.open("redis://127.0.0.1:" + proxy.port(), "NS")) {
            add(stats, "qs", 1);
            proxy.cutReplyAfter(0);
            add(stats, "qs", 1);
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(hash("keuss:stats:NS:qs")).containsEntry("counter_put", "2");
            add(stats, "qs", 1);
            assertThat(got(stats.read("qs"))).containsEntry(Counter.PUSHED, 3L);
        }
    }

    @Test
    void countsThatWereCertainlyNotAddedAreReported() throws Exception {
        try (StatsStore stats = RedisStatsContractTest.open(server.uri() + "?jono.timeout=500ms", "NS")) {
            add(stats, "qs", 1);
            server.kill();
            // The outcome of a command is unknown until the client notices that its connection is closed.
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThatThrownBy(() -> add(stats, "qs", 1)).hasCauseInstanceOf(StorageException.class));
            server.restart();
            Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
                add(stats, "qs", 5);
                return true;
            });
            assertThat(got(stats.read("qs"))).containsEntry(Counter.PUSHED, 5L);
        }
    }

    @Test
    void keyOfAnotherTypeIsReportedAndTheOtherQueuesAreCounted() throws Exception {
        server.call("SET", "keuss:stats:NS:wrong", "x");
        try (StatsStore stats = RedisStatsContractTest.open(server.uri(), "NS")) {
            got(stats.add(Map.of("wrong", Map.of(Counter.PUSHED, 1L), "right", Map.of(Counter.PUSHED, 1L))));
            assertThat(got(stats.read("right"))).containsEntry(Counter.PUSHED, 1L);
            assertThatThrownBy(() -> got(stats.read("wrong")))
                    .hasCauseInstanceOf(StorageException.class)
                    .hasMessageContaining("wrong")
                    .hasMessageContaining("WRONGTYPE");
        }
    }

    @Test
    void suspendedServerFailsTheCallAndTheNextOneCounts() throws Exception {
        try (StatsStore stats = RedisStatsContractTest.open(server.uri() + "?jono.timeout=1s", "NS")) {
            add(stats, "qs", 1);
            server.suspend();
            CompletableFuture<Map<Counter, Long>> read = stats.read("qs").toCompletableFuture();
            assertThatThrownBy(() -> got(read)).hasCauseInstanceOf(StorageException.class);
            server.resume();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> Map.of(Counter.PUSHED, 1L).equals(got(stats.read("qs"))));
        }
    }

    @Test
    void clusterKeepsCountersAndListsThemOverAllNodes() throws Exception {
        try (RedisCluster cluster = RedisCluster.start();
                StatsStore stats = RedisStatsContractTest.open(cluster.uri(), "NS")) {
            List<CompletableFuture<Void>> added = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                added.add(stats.add(Map.of("q" + i, Map.of(Counter.PUSHED, 2L))).toCompletableFuture());
            }
            for (CompletableFuture<Void> one : added) {
                got(one);
            }
            got(stats.setPaused("q3", true));
            assertThat(got(stats.queues())).hasSize(50).contains("q0", "q49");
            assertThat(got(stats.paused(List.of("q3", "q4")))).containsExactly("q3");
            assertThat(got(stats.read("q17"))).containsEntry(Counter.PUSHED, 2L);
            got(stats.clear("q17"));
            assertThat(got(stats.read("q17"))).isEmpty();
        }
    }
}
