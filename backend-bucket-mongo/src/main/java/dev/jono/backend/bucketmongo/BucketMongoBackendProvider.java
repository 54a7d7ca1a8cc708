package dev.jono.backend.bucketmongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import java.util.Optional;
import java.util.Set;

/** The backend {@code bucket-mongo}: {@code bucket-mongo:mongodb://host/database?replicaSet=name}. */
public final class BucketMongoBackendProvider implements BackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BucketMongoBackendProvider() {}

    @Override
    public String type() {
        return "bucket-mongo";
    }

    @Override
    public Set<Capability> capabilities() {
        return Profile.PLAIN.capabilities();
    }

    @Override
    public Optional<String> defaultSignaller() {
        return Optional.of("mongo-capped");
    }

    @Override
    public Optional<String> defaultStats() {
        return Optional.of("mongo");
    }

    @Override
    public Backend open(PluginConfig config) {
        BucketOptions.parse(config.url()); // before anything is opened
        return new BucketBackend(MongoLink.open(config, BucketOptions.NAMES), config, Profile.PLAIN);
    }
}
