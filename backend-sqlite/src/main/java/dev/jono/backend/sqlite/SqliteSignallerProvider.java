package dev.jono.backend.sqlite;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;

/** The signaller {@code sqlite}: wakes all processes that have the same file open. */
public final class SqliteSignallerProvider implements SignallerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteSignallerProvider() {}

    @Override
    public String type() {
        return SqliteBackendProvider.TYPE;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Signaller open(PluginConfig config) {
        return new SqliteSignaller(config);
    }
}
