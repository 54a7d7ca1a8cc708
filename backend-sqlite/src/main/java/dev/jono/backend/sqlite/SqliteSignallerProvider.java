package dev.jono.backend.sqlite;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;

/** The provider of the signaller {@code sqlite}, which reaches all processes that have the same file open. */
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
