package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.MongoProvider;
import java.util.EnumSet;
import java.util.Set;

/** The backend {@code mongo}: {@code mongo:mongodb://host/database?replicaSet=name}. */
public final class MongoBackendProvider extends MongoProvider {
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
    public Backend open(PluginConfig config) {
        MongoLink link = MongoLink.open(config, Set.of());
        return new DocumentBackend(link, config, new SimpleLayouts(), CAPABILITIES);
    }
}
