package dev.jono.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis Cluster of six nodes: three primaries that share the slots, and a replica of each. */
public final class RedisCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;
    private static final int PRIMARIES = 3;
    private static final SharedServer<String> SHARED = new SharedServer<>(() -> start().uri());

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    /**
     * Starts a Cluster, and waits until it is complete. Its nodes declare a node dead after 1.5 seconds.
     *
     * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
     */
    public static RedisCluster start() {
        return start(new String[0]);
    }

    /** As {@link #start()}, with more users than the default one: see {@link RedisServer.Builder#users}. */
    public static RedisCluster start(String... users) {
        RedisCluster cluster = new RedisCluster();
        try {
            cluster.startAll(users);
            return cluster;
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
    }

    /**
     * The {@link #uri} of a Cluster that the tests of this JVM share. Tests must not stop, change or empty it.
     *
     * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
     */
    public static String sharedUri() {
        return SHARED.get();
    }

    private void startAll(String... users) {
        for (int i = 0; i < 2 * PRIMARIES; i++) {
            nodes.add(RedisServer.builder()
                    .option("cluster-enabled", "yes")
                    .option("cluster-node-timeout", "1500")
                    .option("cluster-replica-validity-factor", "0")
                    .option("repl-diskless-sync-delay", "0")
                    .users(users)
                    .start());
        }
        RedisServer first = nodes.get(0);
        for (int i = 0; i < PRIMARIES; i++) {
            String[] slots = IntStream.range(i * SLOTS / PRIMARIES, (i + 1) * SLOTS / PRIMARIES)
                    .mapToObj(Integer::toString)
                    .toArray(String[]::new);
            nodes.get(i)
                    .call(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), Stream.of(slots))
                            .toArray(String[]::new));
            nodes.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (RedisServer node : nodes.subList(1, nodes.size())) {
            first.call("CLUSTER", "MEET", node.host(), Integer.toString(node.port()), busPort(node));
        }
        await("all nodes to know each other", () -> nodes.stream().allMatch(n -> lines(n).size() == nodes.size()));
        for (int i = 0; i < PRIMARIES; i++) {
            nodes.get(PRIMARIES + i).call("CLUSTER", "REPLICATE", id(nodes.get(i)));
        }
        awaitComplete();
    }

    private static String busPort(RedisServer node) {
        return String.valueOf(node.callForList("CONFIG", "GET", "cluster-port").get(1));
    }

    private static void await(String what, java.util.concurrent.Callable<Boolean> holds) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .atMost(Duration.ofSeconds(50))
                .until(holds);
    }

    /** Waits until every live node sees all slots served, and every replica is connected to its primary. */
    public void awaitComplete() {
        await("the cluster to be complete", () -> alive().allMatch(RedisCluster::isComplete));
    }

    private static boolean isComplete(RedisServer node) {
        return String.valueOf(node.call("CLUSTER", "INFO")).contains("cluster_state:ok")
                && (node.info("role").equals("master")
                        || node.info("master_link_status").equals("up"));
    }

    private Stream<RedisServer> alive() {
        return nodes.stream().filter(RedisServer::isAlive);
    }

    private static List<String> lines(RedisServer node) {
        return String.valueOf(node.call("CLUSTER", "NODES")).lines().toList();
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.call("CLUSTER", "MYID"));
    }

    /** {@code redis://host:port,host:port,host:port}, with three of the nodes. */
    public String uri() {
        return "redis://"
                + nodes.stream().limit(PRIMARIES).map(RedisServer::address).collect(Collectors.joining(","));
    }

    /** All six nodes; which ones are primaries changes. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The slot of a key. */
    public int slot(String key) {
        RedisServer node = alive().findFirst().orElseThrow();
        return Integer.parseInt(String.valueOf(node.call("CLUSTER", "KEYSLOT", key)));
    }

    /** The live primary that serves a slot. If several claim the slot, as after a failover, the newest. */
    public RedisServer primaryOf(int slot) {
        RedisServer asked = alive().findFirst().orElseThrow();
        for (Object range : asked.callForList("CLUSTER", "SLOTS")) {
            List<?> fields = (List<?>) range;
            if ((Long) fields.get(0) <= slot && slot <= (Long) fields.get(1)) {
                long port = (Long) ((List<?>) fields.get(2)).get(1);
                return nodes.stream().filter(n -> n.port() == port).findFirst().orElseThrow();
            }
        }
        throw new IllegalStateException("no node serves slot " + slot);
    }

    /** Waits until a node other than this one serves a slot, and returns it. */
    public RedisServer awaitFailover(int slot, RedisServer old) {
        await("another primary for slot " + slot, () -> primaryOf(slot) != old && isComplete(primaryOf(slot)));
        return primaryOf(slot);
    }

    /** Moves a slot with its keys to another primary, as resharding does. Clients may use the slot meanwhile. */
    public void moveSlot(int slot, RedisServer to) {
        beginMove(slot, to).run();
    }

    /** Begins to move a slot to another primary. Moves its keys and ends the move when the result is run. */
    public Runnable beginMove(int slot, RedisServer to) {
        RedisServer from = primaryOf(slot);
        String number = Integer.toString(slot);
        String target = id(to);
        to.call("CLUSTER", "SETSLOT", number, "IMPORTING", id(from));
        from.call("CLUSTER", "SETSLOT", number, "MIGRATING", target);
        return () -> endMove(number, from, to);
    }

    private void endMove(String number, RedisServer from, RedisServer to) {
        String target = id(to);
        for (List<?> keys = keys(from, number); !keys.isEmpty(); keys = keys(from, number)) {
            List<String> migrate = new ArrayList<>(
                    List.of("MIGRATE", to.host(), Integer.toString(to.port()), "", "0", "5000", "REPLACE", "KEYS"));
            keys.forEach(key -> migrate.add(String.valueOf(key)));
            from.call(migrate.toArray(String[]::new));
        }
        to.call("CLUSTER", "SETSLOT", number, "NODE", target);
        from.call("CLUSTER", "SETSLOT", number, "NODE", target);
        alive().filter(n -> n != from && n != to && n.info("role").equals("master"))
                .forEach(n -> n.call("CLUSTER", "SETSLOT", number, "NODE", target));
    }

    private static List<?> keys(RedisServer node, String slot) {
        return node.callForList("CLUSTER", "GETKEYSINSLOT", slot, "100");
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
