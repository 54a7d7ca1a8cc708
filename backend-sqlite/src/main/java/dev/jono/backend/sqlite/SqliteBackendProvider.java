package dev.jono.backend.sqlite;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import java.util.Optional;
import java.util.Set;

/**
 * The provider of the backend {@code sqlite}. A URL with all options: {@code
 * sqlite:/path/to/file.db?jono.durability=full&jono.history=1h&jono.busy=5s&jono.create=true}.
 */
public final class SqliteBackendProvider implements BackendProvider {
    static final String TYPE = "sqlite";

    /** For {@link java.util.ServiceLoader}. */
    public SqliteBackendProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return SqliteBackend.CAPABILITIES;
    }

    @Override
    public Optional<String> defaultSignaller() {
        return Optional.of(TYPE);
    }

    @Override
    public Optional<String> defaultStats() {
        return Optional.of(TYPE);
    }

    @Override
    public Backend open(PluginConfig config) {
        return new SqliteBackend(config, Options.parse(config.url()));
    }
}
