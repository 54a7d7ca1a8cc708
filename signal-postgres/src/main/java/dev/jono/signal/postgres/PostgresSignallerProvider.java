package dev.jono.signal.postgres;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.support.postgres.PostgresLink;
import java.util.Set;

/**
 * The signaller {@code postgres}: wakes all processes that use the same schema. With {@code jono.signal=poll} in the URL of
 * the connection it sends and receives nothing.
 */
public final class PostgresSignallerProvider implements SignallerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PostgresSignallerProvider() {}

    @Override
    public String type() {
        return "postgres";
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Signaller open(PluginConfig config) {
        return new PostgresSignaller(PostgresLink.open(config, Set.of()), config);
    }
}
