package dev.jono.backend.bucketmongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import java.util.Optional;
import java.util.Set;

/** The backend {@code bucket-mongo-safe}: {@code bucket-mongo-safe:mongodb://host/database?replicaSet=name}. */
public final class BucketMongoSafeBackendProvider implements BackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BucketMongoSafeBackendProvider() {}

    @Override
    public String type() {
        return "bucket-mongo-safe";
    }

    @Override
    public Set<Capability> capabilities() {
        return Profile.SAFE.capabilities();
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
        return new BucketBackend(MongoLink.open(config, BucketOptions.NAMES), config, Profile.SAFE);
    }
}
