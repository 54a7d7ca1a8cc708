package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.StatsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStatsContractTest extends StatsContract {
    @TempDir
    Path directory;

    @Override
    protected StatsStore open(String namespace) {
        return new SqliteStatsProvider().open(config(directory, namespace, JonoClock.system()));
    }

    static PluginConfig config(Path directory, String namespace, JonoClock clock) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse("sqlite:" + directory.resolve("queues.db")))
                .namespace(namespace)
                .clock(clock)
                .executor(Fixture.EXECUTOR)
                .build();
    }
}
