package dev.jono.jobs.mongo;

import dev.jono.ConfigurationException;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import java.util.Set;

/**
 * The provider of job stores for the backends on MongoDB. The records are in the database of the queues. The server must have
 * transactions: a replica set, which can have a single member.
 */
public final class MongoJobStoreProvider implements JobStoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MongoJobStoreProvider() {}

    @Override
    public Set<String> backends() {
        return Set.of("mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe");
    }

    @Override
    public JobStore open(PluginConfig config) {
        if (!(config.storage() instanceof MongoLink)) {
            throw new ConfigurationException(
                    "the job store needs the connection of a backend on MongoDB, not " + config.storage());
        }
        MongoLink link = MongoLink.open(config, Set.of());
        if (!link.replicated()) {
            link.close();
            throw new ConfigurationException("jobs need transactions, which the standalone server of "
                    + config.storage() + " does not have: make it a replica set (one member is enough)");
        }
        return new MongoJobStore(link, config.executor());
    }
}
