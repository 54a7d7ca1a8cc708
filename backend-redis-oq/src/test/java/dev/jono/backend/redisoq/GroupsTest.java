package dev.jono.backend.redisoq;

import static dev.jono.backend.redisoq.Raw.got;
import static dev.jono.backend.redisoq.Raw.inserting;
import static dev.jono.backend.redisoq.Raw.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Cluster and Sentinel: names, slots, and a primary that dies under load. */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class GroupsTest {
    @Test
    void clusterKeepsAQueueInOneSlot() {
        try (RedisCluster cluster = RedisCluster.start();
                Raw raw = new Raw("redis-oq:" + cluster.uri())) {
            raw.insert("a");
            RedisServer node = cluster.primaryOf(cluster.slot("{orders}"));
            assertThat(node.call("ZCARD", OqKeys.INDEX + "{orders}")).isEqualTo(1L);
            got(raw.queue("more").insert(inserting(message("x"))));
            got(raw.queue("{orders}dead").insert(inserting(message("y"))));
            assertThat(got(raw.backend.queues())).containsExactly("more", "orders", "{orders}dead");
            assertThat(got(raw.backend.probe(ProbeRequest.builder()
                                    .queues(List.of("orders", "more", "empty"))
                                    .build()))
                            .nextMillis())
                    .containsOnlyKeys("orders", "more");

            assertThat(raw.backend.refuseName("{orders}")).contains("'orders'");
            assertThat(raw.backend.movesAtomically("orders", "{orders}dead")).isTrue();
            assertThat(raw.backend.movesAtomically("orders", "more")).isFalse();
            MoveRequest move = MoveRequest.builder()
                    .items(List.of(MoveItem.builder()
                            .receipt(Raw.receipt(raw.claim(1).messages().get(0)))
                            .toQueue("{orders}dead")
                            .build()))
                    .token("t")
                    .build();
            assertThat(got(raw.store.move(move)).outcomes()).containsExactly(Outcome.DONE);
            assertThat(got(raw.queue("{orders}dead").take(Raw.claiming(5))).messages())
                    .extracting(m -> m.payload().text())
                    .containsExactlyInAnyOrder("a", "y");
        }
    }

    @Test
    @Tag("fault")
    void clusterLosesNothingConfirmedByAReplicaWhenAPrimaryDies() {
        try (RedisCluster cluster = RedisCluster.start();
                Raw raw = new Raw("redis-oq:" + cluster.uri() + "?jono.replicas=1&jono.timeout=1s")) {
            int slot = cluster.slot("{orders}");
            RedisServer old = cluster.primaryOf(slot);
            survives(raw, () -> {
                old.kill();
                cluster.awaitFailover(slot, old);
                old.restart(); // as a replica, without which nobody could confirm
            });
        }
    }

    @Test
    @Tag("fault")
    void slotThatMovesUnderLoadLosesNothing() {
        try (RedisCluster cluster = RedisCluster.start();
                Raw raw = new Raw("redis-oq:" + cluster.uri())) {
            int slot = cluster.slot("{orders}");
            RedisServer old = cluster.primaryOf(slot);
            RedisServer other = cluster.primaryOf((slot + 8000) % 16384);
            assertThat(other).isNotSameAs(old);
            survives(raw, () -> cluster.moveSlot(slot, other));
        }
    }

    @Test
    @Tag("fault")
    void sentinelFailoverLosesNothingConfirmedByAReplica() {
        try (RedisSentinels group = RedisSentinels.start();
                Raw raw = new Raw("redis-oq:" + group.uri() + "?jono.replicas=1")) {
            RedisServer old = group.primary();
            survives(raw, () -> {
                old.kill();
                group.awaitFailoverFrom(old);
            });
        }
    }

    @Test
    void pushThatNoReplicaConfirmsIsUnknown() {
        try (RedisServer redis = RedisServer.start();
                Raw raw = new Raw("redis-oq:" + redis.uri() + "?jono.replicas=1&jono.timeout=400ms")) {
            assertThatThrownBy(() -> raw.insert("a"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("0 of 1 replicas");
        }
    }

    /** Pushes before, during and after; each that failed is pushed anew, as a caller would. */
    private static void survives(Raw raw, Runnable event) {
        Set<String> acknowledged = new HashSet<>();
        List<String> all = new ArrayList<>();
        Thread trouble = new Thread(event, "trouble");
        int number = 0;
        while (number < 300 || trouble.isAlive()) {
            if (number == 100) {
                trouble.start();
            }
            String text = "m" + number++;
            all.add(text);
            try {
                raw.insert(text);
                acknowledged.add(text);
            } catch (dev.jono.JonoException failed) {
                assertThat(failed.queue()).isEqualTo("orders");
            }
        }
        for (int i = 0; i < 20; i++) {
            raw.insert("last" + i);
            acknowledged.add("last" + i);
            all.add("last" + i);
        }
        List<String> found = new ArrayList<>();
        for (List<String> some = raw.take(100); !some.isEmpty(); some = raw.take(100)) {
            found.addAll(some);
        }
        assertThat(found).doesNotHaveDuplicates().containsAll(acknowledged);
        assertThat(all).containsAll(found);
    }
}
