package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.MongoProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The backend {@code ps-mongo}: {@code ps-mongo:mongodb://host/database?jono.ttl=1h}. */
public final class PsMongoBackendProvider extends MongoProvider {
    private static final Duration DEFAULT_TTL = Duration.ofHours(1);

    /** For {@link java.util.ServiceLoader}. */
    public PsMongoBackendProvider() {}

    @Override
    public String type() {
        return "ps-mongo";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Backend open(PluginConfig config) {
        Duration option = config.url().durationOption("ttl");
        long ttlMillis = (option == null ? DEFAULT_TTL : option).toMillis();
        MongoLink link = MongoLink.open(config, Set.of("ttl"));
        return new DocumentBackend(link, config, new HistoryLayouts(ttlMillis), capabilities());
    }
}
