package dev.jono.stats.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import dev.jono.testkit.server.RedisUser;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract with an expiry, for a user with the rights that docs/backends/signals-and-stats.md lists for it. */
class RedisStatsExpiringContractTest extends StatsContract {
    private static final String HASH = "keuss:stats:N:orders";
    private static final long HOUR_MILLIS = 3_600_000;

    @RegisterExtension
    static final RedisUser REDIS =
            RedisUser.with(RedisStatsLeastRightsContractTest.RIGHTS + " +eval +evalsha +pexpire +persist");

    @Override
    protected StatsStore open(String namespace) {
        return RedisStatsContractTest.open(REDIS.uri() + "?jono.expire=1h", namespace);
    }

    private static void got(CompletionStage<?> stage) {
        stage.toCompletableFuture().join();
    }

    private static long remainingMillis() {
        return Long.parseLong(String.valueOf(REDIS.server().call("PTTL", HASH)));
    }

    @Test
    void eachUseRestartsTheExpiryAndAPauseStopsIt() {
        try (StatsStore stats = open("N")) {
            got(stats.add(Map.of("orders", Map.of(Counter.PUSHED, 1L))));
            assertThat(remainingMillis()).isBetween(HOUR_MILLIS / 2, HOUR_MILLIS);
            REDIS.server().call("PEXPIRE", HASH, "100000");
            got(stats.add(Map.of("orders", Map.of(Counter.PUSHED, 1L))));
            assertThat(remainingMillis()).isBetween(HOUR_MILLIS / 2, HOUR_MILLIS);
            got(stats.setPaused("orders", true));
            assertThat(remainingMillis()).as("no expiry").isEqualTo(-1);
            got(stats.setPaused("orders", false));
            assertThat(remainingMillis()).isBetween(HOUR_MILLIS / 2, HOUR_MILLIS);
            got(stats.delete("orders"));
        }
    }

    @Test
    void expiryOfZeroIsRefused() {
        assertThatThrownBy(() -> RedisStatsContractTest.open(REDIS.uri() + "?jono.expire=0s", "N"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("jono.expire");
    }
}
