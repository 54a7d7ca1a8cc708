package dev.jono.jobs.postgres;

import dev.jono.ConfigurationException;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.postgres.PostgresLink;
import java.util.Set;

/** The provider of job stores for the backend {@code postgres}. Their tables are in the schema of the queues. */
public final class PostgresJobStoreProvider implements JobStoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PostgresJobStoreProvider() {}

    @Override
    public Set<String> backends() {
        return Set.of("postgres");
    }

    @Override
    public JobStore open(PluginConfig config) {
        if (!(config.storage() instanceof PostgresLink link)) {
            throw new ConfigurationException(
                    "the job store needs the connection of a backend 'postgres', not " + config.storage());
        }
        return new PostgresJobStore(link.share(), config.executor());
    }
}
