package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.MongoProvider;
import java.util.EnumSet;
import java.util.Set;

/** The backend {@code pl-mongo}: {@code pl-mongo:mongodb://host/database?jono.pipeline=orders}. */
public final class PlMongoBackendProvider extends MongoProvider {
    private static final String DEFAULT_PIPELINE = "default";

    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.complementOf(
            EnumSet.of(Capability.HISTORY, Capability.KEYED, Capability.DEDUPLICATE, Capability.EDIT)));

    /** For {@link java.util.ServiceLoader}. */
    public PlMongoBackendProvider() {}

    @Override
    public String type() {
        return "pl-mongo";
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Backend open(PluginConfig config) {
        String option = config.url().option("pipeline");
        MongoLink link = MongoLink.open(config, Set.of("pipeline"));
        try {
            Layouts layouts =
                    new PipelineLayouts("option jono.pipeline", option == null ? DEFAULT_PIPELINE : option, link);
            return new DocumentBackend(link, config, layouts, CAPABILITIES);
        } catch (ConfigurationException refused) {
            link.close();
            throw refused;
        }
    }
}
