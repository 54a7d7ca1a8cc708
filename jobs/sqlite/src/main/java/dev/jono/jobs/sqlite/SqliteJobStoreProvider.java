package dev.jono.jobs.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.backend.sqlite.SqliteStorage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.PluginConfig;
import java.util.Set;

/** The provider of job stores for the backend {@code sqlite}. Their tables are in the file of the queues. */
public final class SqliteJobStoreProvider implements JobStoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteJobStoreProvider() {}

    @Override
    public Set<String> backends() {
        return Set.of("sqlite");
    }

    @Override
    public JobStore open(PluginConfig config) {
        if (!(config.storage() instanceof SqliteStorage storage)) {
            throw new ConfigurationException(
                    "the job store needs the file of a backend 'sqlite', not " + config.storage());
        }
        return new SqliteJobStore(storage.use(config.clock()), config.executor());
    }
}
