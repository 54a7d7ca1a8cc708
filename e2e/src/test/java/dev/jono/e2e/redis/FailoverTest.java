package dev.jono.e2e.redis;

import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A primary that dies, with Sentinels and in a Cluster, and a slot that moves, under a load of pushes, pops, workers,
 * pipelines and keyed queues. The last writes of the old primary that no replica has received are lost. Pushes that wait for
 * a replica are not lost, and taken messages may come back.
 */
@Tag("fault")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {
    private static final int SOME = 10;
    private static final int MANY = 100;

    private static void underLoad(String uri, int replicas, Consumer<Runnable> strikes, Consumer<Load> end) {
        List<Load> loads = new ArrayList<>();
        try {
            for (String backend : List.of("redis-oq", "redis-list")) {
                loads.add(new Load(backend + ":" + uri + "?jono.timeout=10s&jono.replicas=" + replicas));
            }
            Runnable going = () -> loads.forEach(load -> load.awaitMore(SOME));
            going.run();
            strikes.accept(going);
            going.run();
            loads.forEach(end);
        } finally {
            loads.forEach(Load::close);
        }
    }

    @SuppressWarnings("SystemOut") // a measurement for readers of the build's output
    private static void report(String what, Load load) {
        System.out.println(what + ", kill -9 of the primary, jono.replicas=0, " + load.lost());
    }

    private static void killed(RedisSentinels group) {
        RedisServer old = group.primary();
        old.kill();
        group.awaitFailoverFrom(old);
    }

    private static void killed(RedisCluster cluster, String queue) {
        int slot = cluster.slot(queue);
        RedisServer old = cluster.primaryOf(slot);
        old.kill();
        cluster.awaitFailover(slot, old);
        old.restart(); // as a replica, because without one no write could be confirmed
    }

    @Test
    void sentinelsLoseNothingThatAReplicaConfirmed() {
        try (RedisSentinels group = RedisSentinels.start()) {
            underLoad(group.uri(), 1, going -> killed(group), Load::assertNothingIsLost);
        }
    }

    @Test
    void sentinelsGoOnWithoutConfirmations() {
        try (RedisSentinels group = RedisSentinels.start()) {
            underLoad(group.uri(), 0, going -> killed(group), load -> report("Sentinel", load));
        }
    }

    @Test
    void clusterLosesNothingThatAReplicaConfirmed() {
        try (RedisCluster cluster = RedisCluster.start()) {
            underLoad(cluster.uri(), 1, going -> killed(cluster, "{acked}"), Load::assertNothingIsLost);
        }
    }

    @Test
    void clusterGoesOnWithoutConfirmations() {
        try (RedisCluster cluster = RedisCluster.start()) {
            underLoad(cluster.uri(), 0, going -> killed(cluster, "{acked}"), load -> report("Cluster", load));
        }
    }

    @Test
    void slotsThatMoveLoseAndDoubleNothing() {
        try (RedisCluster cluster = RedisCluster.start()) {
            underLoad(
                    cluster.uri(),
                    0,
                    going -> {
                        for (String queue : List.of("{acked}", "{popped}", "{first}")) {
                            int slot = cluster.slot(queue);
                            cluster.moveSlot(slot, cluster.primaryOf((slot + 8000) % 16384));
                            going.run();
                        }
                    },
                    Load::assertNothingIsLostOrDoubled);
        }
    }

    private static void underKeyedLoad(String uri, Runnable strike) {
        try (KeyedLoad load = new KeyedLoad("redis-oq:" + uri + "?jono.timeout=10s&jono.replicas=1")) {
            load.awaitMore(MANY);
            strike.run();
            load.awaitMore(MANY);
            load.assertNothingIsLostAndOrderIsKept();
        }
    }

    @Test
    void sentinelsKeepTheOrderOfKeysThatAReplicaConfirmed() {
        try (RedisSentinels group = RedisSentinels.start()) {
            underKeyedLoad(group.uri(), () -> killed(group));
        }
    }

    @Test
    void clusterKeepsTheOrderOfKeysThatAReplicaConfirmed() {
        try (RedisCluster cluster = RedisCluster.start()) {
            underKeyedLoad(cluster.uri(), () -> killed(cluster, "{keyed}"));
        }
    }

    @Test
    void slotThatMovesKeepsTheOrderOfItsKeys() {
        try (RedisCluster cluster = RedisCluster.start()) {
            int slot = cluster.slot("{keyed}");
            underKeyedLoad(cluster.uri(), () -> cluster.moveSlot(slot, cluster.primaryOf((slot + 8000) % 16384)));
        }
    }
}
