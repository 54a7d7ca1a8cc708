package dev.jono.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** One Redis primary, two replicas, and three Sentinels that watch them under the name {@code jono}. */
public final class RedisSentinels implements AutoCloseable {
    private static final String NAME = "jono";
    private static final SharedServer<String> SHARED = new SharedServer<>(() -> start().uri());

    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels() {}

    /**
     * Starts all servers, and waits until they know each other. The Sentinels declare a primary dead after one second.
     *
     * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
     */
    public static RedisSentinels start() {
        RedisSentinels all = new RedisSentinels();
        try {
            all.startAll();
            return all;
        } catch (RuntimeException failure) {
            all.close();
            throw failure;
        }
    }

    /**
     * The {@link #uri} of a group that the tests of this JVM share. Tests must not stop, change or empty it.
     *
     * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
     */
    public static String sharedUri() {
        return SHARED.get();
    }

    private void startAll() {
        RedisServer primary = node().start();
        nodes.add(primary);
        for (int i = 0; i < 2; i++) {
            nodes.add(node().replicaOf(primary).start());
        }
        for (int i = 0; i < 3; i++) {
            sentinels.add(RedisServer.builder()
                    .argument("--sentinel")
                    .option("sentinel monitor", NAME + " " + primary.host() + " " + primary.port() + " 2")
                    .option("sentinel down-after-milliseconds", NAME + " 1000")
                    .option("sentinel failover-timeout", NAME + " 5000")
                    .start());
        }
        Awaitility.await("replicas and sentinels to know each other")
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(40))
                .until(() -> nodes.subList(1, 3).stream()
                                .allMatch(n -> n.info("master_link_status").equals("up"))
                        && sentinels.stream().allMatch(RedisSentinels::knowsAll));
    }

    private static RedisServer.Builder node() {
        return RedisServer.builder().option("repl-diskless-sync-delay", "0");
    }

    private static boolean knowsAll(RedisServer sentinel) {
        List<?> state = sentinel.callForList("SENTINEL", "MASTER", NAME);
        return field(state, "num-slaves").equals("2")
                && field(state, "num-other-sentinels").equals("2");
    }

    private static String field(List<?> fields, String name) {
        return String.valueOf(fields.get(fields.indexOf(name) + 1));
    }

    /** {@code redis-sentinel://host:port,host:port,host:port/0#jono}. */
    public String uri() {
        return "redis-sentinel://"
                + sentinels.stream().map(RedisServer::address).collect(Collectors.joining(",")) + "/0#" + NAME;
    }

    /** The primary, according to the first live Sentinel. */
    public RedisServer primary() {
        RedisServer sentinel = sentinels.stream()
                .filter(RedisServer::isAlive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no Sentinel is alive"));
        List<?> address = sentinel.callForList("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
        return nodes.stream()
                .filter(n -> String.valueOf(n.port()).equals(address.get(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Sentinel names an unknown primary: " + address));
    }

    /** Waits until a failover from this node to another is complete, and returns the new primary. */
    public RedisServer awaitFailoverFrom(RedisServer old) {
        Awaitility.await("a failover from " + old)
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(40))
                .until(() -> primary() != old && primary().info("role").equals("master"));
        return primary();
    }

    /** The three Redis nodes; which one is the primary changes. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The three Sentinels. */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        nodes.forEach(RedisServer::close);
    }
}
