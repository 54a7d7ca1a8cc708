package dev.jono.backend.sqlite;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.SettableClock;
import dev.jono.testkit.StatsExpiryContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteStatsExpiryContractTest extends StatsExpiryContract {
    private final SettableClock clock = new SettableClock();

    @TempDir
    Path directory;

    @Override
    protected StatsStore open(String namespace) {
        return new SqliteStatsProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse("sqlite:" + directory.resolve("queues.db") + "?jono.expire=30d"))
                        .namespace(namespace)
                        .clock(clock)
                        .executor(Fixture.EXECUTOR)
                        .build());
    }

    /** The writer deletes expired counters after a write. */
    @Override
    protected void pass(StatsStore store) {
        clock.advance(Duration.ofDays(10));
        store.setPaused("no queue", false).toCompletableFuture().join();
    }
}
