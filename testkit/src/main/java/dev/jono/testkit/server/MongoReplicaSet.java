package dev.jono.testkit.server;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A MongoDB replica set that one test owns: {@link MongoServer}s that the test may stop, kill and suspend. The nodes
 * declare a primary dead after one second. Not thread-safe.
 */
public final class MongoReplicaSet implements AutoCloseable {
    private static final String NAME = "jono";
    private static final Duration ELECTION = Duration.ofSeconds(60);
    private static final SharedServer<UnaryOperator<String>> SHARED =
            SharedMongo.namedBy("JONO_TEST_MONGO", () -> start(1)::uri);

    private final List<MongoServer> nodes = new ArrayList<>();

    private MongoReplicaSet() {}

    /**
     * Starts a replica set, and waits until it has a primary that all others follow.
     *
     * @param size the number of nodes: 1, or 3 for a set that survives the loss of its primary
     * @throws org.opentest4j.TestAbortedException if there is no {@code mongod}, so that the test is skipped
     */
    public static MongoReplicaSet start(int size) {
        return start(size, MongoServer.builder());
    }

    /** As {@link #start(int)}, with these options for each node. */
    public static MongoReplicaSet start(int size, MongoServer.Builder node) {
        MongoReplicaSet set = new MongoReplicaSet();
        try {
            node.option("replSet", NAME).option("oplogSize", "256");
            // How long the transaction of a killed client blocks its documents; the default is one minute.
            node.parameter("transactionLifetimeLimitSeconds", "3");
            for (int i = 0; i < size; i++) {
                set.nodes.add(node.start());
            }
            set.initiate();
            return set;
        } catch (RuntimeException failure) {
            set.close();
            throw failure;
        }
    }

    /**
     * The URI of a database on a replica set that the tests of this JVM share. Tests must not stop it. It is the set
     * that the environment variable {@code JONO_TEST_MONGO} names, otherwise a set of one node that is started here.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUri(String database) {
        return SHARED.get().apply(database);
    }

    private void initiate() {
        List<Map<String, Object>> members = new ArrayList<>();
        for (MongoServer node : nodes) {
            members.add(Map.of("_id", members.size(), "host", node.address()));
        }
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("_id", NAME);
        config.put("members", members);
        config.put("settings", Map.of("electionTimeoutMillis", 1_000, "heartbeatIntervalMillis", 250));
        nodes.get(0).call("admin", Map.of("replSetInitiate", config));
        awaitPrimary();
        Awaitility.await("all nodes to follow the primary")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(ELECTION)
                .until(() -> nodes.stream().allMatch(node -> is(node, "isWritablePrimary") || is(node, "secondary")));
    }

    private static boolean is(MongoServer node, String what) {
        try {
            return node.isAlive() && Boolean.TRUE.equals(node.hello().get(what));
        } catch (UncheckedIOException | IllegalStateException notNow) {
            return false;
        }
    }

    /** {@code mongodb://host:port,…/database?replicaSet=jono}. */
    public String uri(String database) {
        return "mongodb://" + nodes.stream().map(MongoServer::address).collect(Collectors.joining(",")) + "/" + database
                + "?replicaSet=" + NAME;
    }

    /** All nodes, dead ones included. */
    public List<MongoServer> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns the primary, and waits for one if there is none. A suspended node can delay it by 30 seconds. */
    public MongoServer awaitPrimary() {
        return awaitPrimary(nodes);
    }

    /** Waits for the primary that replaces one which is dead, suspended or has stepped down. */
    public MongoServer awaitFailoverFrom(MongoServer old) {
        return awaitPrimary(nodes.stream().filter(node -> node != old).toList());
    }

    private static MongoServer awaitPrimary(List<MongoServer> among) {
        return Awaitility.await("a primary")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(ELECTION)
                .until(
                        () -> among.stream()
                                .filter(node -> is(node, "isWritablePrimary"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Makes the primary step down, and returns the next one. */
    public MongoServer stepDown() {
        MongoServer old = awaitPrimary();
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("replSetStepDown", 30);
        command.put("force", true);
        old.call("admin", command);
        return awaitFailoverFrom(old);
    }

    /** Kills all nodes, and removes their folders. */
    @Override
    public void close() {
        nodes.forEach(MongoServer::close);
    }
}
