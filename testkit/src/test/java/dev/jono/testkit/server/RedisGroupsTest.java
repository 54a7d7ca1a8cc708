package dev.jono.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class RedisGroupsTest {
    @Test
    void sentinelsPromoteAReplicaOfADeadPrimary() {
        try (RedisSentinels all = RedisSentinels.start()) {
            RedisServer old = all.primary();
            old.kill();
            RedisServer now = all.awaitFailoverFrom(old);
            assertThat(now.call("SET", "k", "v")).isEqualTo("OK");
            assertThat(all.uri()).matches("redis-sentinel://127.0.0.1:\\d+,127.0.0.1:\\d+,127.0.0.1:\\d+/0#jono");
        }
    }

    @Test
    void clusterServesAllSlotsMovesOneAndOutlivesAPrimary() {
        try (RedisCluster cluster = RedisCluster.start()) {
            int slot = cluster.slot("{a}1");
            assertThat(slot).isEqualTo(cluster.slot("{a}2")).isBetween(0, 16_383);
            RedisServer from = cluster.primaryOf(slot);
            from.call("SET", "{a}1", "v");
            RedisServer to = List.of(0, 8_000, 16_383).stream()
                    .map(cluster::primaryOf)
                    .filter(n -> n != from)
                    .findFirst()
                    .orElseThrow();
            cluster.moveSlot(slot, to);
            assertThat(cluster.primaryOf(slot)).isSameAs(to);
            assertThat(to.call("GET", "{a}1")).isEqualTo("v");
            to.kill();
            RedisServer now = cluster.awaitFailover(slot, to);
            assertThat(now.call("SET", "{a}2", "w")).isEqualTo("OK");
            to.restart();
            cluster.awaitComplete();
            assertThat(to.info("role")).isEqualTo("slave");
        }
    }
}
