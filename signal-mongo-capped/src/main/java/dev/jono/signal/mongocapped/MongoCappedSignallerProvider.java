package dev.jono.signal.mongocapped;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.support.mongo.MongoLink;
import java.util.Set;

/** The signaller {@code mongo-capped}: wakes consumers in all processes that use the same MongoDB. */
public final class MongoCappedSignallerProvider implements SignallerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MongoCappedSignallerProvider() {}

    @Override
    public String type() {
        return "mongo-capped";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Signaller open(PluginConfig config) {
        MongoLink link = MongoLink.open(config, Set.of());
        boolean opened = false;
        try {
            Signaller signaller = new MongoCappedSignaller(link, config);
            opened = true;
            return signaller;
        } finally {
            if (!opened) {
                link.close();
            }
        }
    }
}
