package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With {@code jono.cluster=true} the address of one node, primary or replica, is enough to use a Cluster. */
class OneSeedTest {
    private static final List<String> QUEUES =
            IntStream.range(0, 20).mapToObj(i -> "q" + i).toList();

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"redis-oq, master", "redis-oq, slave", "redis-list, master", "redis-list, slave"})
    void queuesOfAllNodesWorkOverTheAddressOfOne(String backend, String role) throws InterruptedException {
        assertThat(QUEUES.stream().map(queue -> cluster.primaryOf(cluster.slot("{" + queue + "}"))))
                .as("where they are")
                .contains(primaries());
        RedisServer seed = cluster.nodes().stream()
                .filter(node -> node.info("role").equals(role))
                .findFirst()
                .orElseThrow();
        try (QueueFactory jono = QueueFactory.connect(backend + ":" + seed.uri() + "?jono.cluster=true")) {
            for (String name : QUEUES) {
                jono.queue(name, Codec.string()).push("to " + name);
            }
            assertThat(primaries()).allMatch(primary -> !Long.valueOf(0).equals(primary.call("DBSIZE")));
            for (String name : QUEUES) {
                MessageQueue<String> queue = jono.queue(name, Codec.string());
                assertThat(queue.pop(Duration.ZERO).map(Message::payload)).contains("to " + name);
                assertThat(queue.totalSize()).isZero();
            }
        }
    }

    private static RedisServer[] primaries() {
        return cluster.nodes().stream()
                .filter(node -> node.info("role").equals("master"))
                .toArray(RedisServer[]::new);
    }
}
