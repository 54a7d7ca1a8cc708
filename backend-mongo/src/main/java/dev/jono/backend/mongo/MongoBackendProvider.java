package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The backend {@code mongo}: {@code mongo:mongodb://host/database?replicaSet=name}. */
public final class MongoBackendProvider implements BackendProvider {
    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.HISTORY)));

    /** For {@link java.util.ServiceLoader}. */
    public MongoBackendProvider() {}

    @Override
    public String type() {
        return "mongo";
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
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
        MongoLink link = MongoLink.open(config, Set.of());
        return new DocumentBackend(link, config, new SimpleLayouts(), CAPABILITIES);
    }
}
