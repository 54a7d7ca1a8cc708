package dev.jono.backend.postgres;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.postgres.PostgresLink;
import java.util.Optional;
import java.util.Set;

/**
 * The provider of the backend {@code postgres}. A URL with all options: {@code
 * postgres:jdbc:postgresql://host:5432/database?user=name&jono.schema=jono&jono.history=1h&jono.pool=10&jono.create=true}.
 */
public final class PostgresBackendProvider implements BackendProvider {
    static final String TYPE = "postgres";

    /** For {@link java.util.ServiceLoader}. */
    public PostgresBackendProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return PostgresBackend.CAPABILITIES;
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
        return new PostgresBackend(PostgresLink.open(config, Set.of()), config);
    }
}
