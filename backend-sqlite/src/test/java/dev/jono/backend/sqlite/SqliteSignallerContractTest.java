package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSignallerContractTest extends SignallerContract {
    @TempDir
    Path directory;

    @Override
    protected Signaller open(String namespace) {
        return new SqliteSignallerProvider()
                .open(SqliteStatsContractTest.config(directory, namespace, JonoClock.system()));
    }
}
