package dev.jono.e2e.redis;

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
 * A primary that dies, behind Sentinels and in a Cluster, and a slot that moves, under a load of pushes, pops, workers
 * and pipelines. The last writes of the old primary that no replica has received are lost. Pushes that wait for a
 * replica are not lost, and taken messages may come back.
 */
@Tag("fault")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {
    private static final int SOME = 10;

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

    private static void killed(RedisCluster cluster) {
        int slot = cluster.slot("{acked}");
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
            underLoad(cluster.uri(), 1, going -> killed(cluster), Load::assertNothingIsLost);
        }
    }

    @Test
    void clusterGoesOnWithoutConfirmations() {
        try (RedisCluster cluster = RedisCluster.start()) {
            underLoad(cluster.uri(), 0, going -> killed(cluster), load -> report("Cluster", load));
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
}
