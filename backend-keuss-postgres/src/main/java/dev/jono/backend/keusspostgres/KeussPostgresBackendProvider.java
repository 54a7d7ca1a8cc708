package dev.jono.backend.keusspostgres;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.PostgresOptions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provider of the backend {@code keuss-postgres}. A URL with all options: {@code
 * keuss-postgres:jdbc:postgresql://host:5432/database?user=name&jono.tables=public&jono.schema=jono&jono.pool=10&jono.create=true}.
 */
public final class KeussPostgresBackendProvider implements BackendProvider {
    static final String TYPE = "keuss-postgres";

    /** The option with the schema of the tables of queues. */
    private static final String TABLES = "tables";

    private static final String PLUGINS = "postgres";

    /** For {@link java.util.ServiceLoader}. */
    public KeussPostgresBackendProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return KeussPostgresBackend.CAPABILITIES;
    }

    @Override
    public Optional<String> defaultSignaller() {
        return Optional.of(PLUGINS);
    }

    @Override
    public Optional<String> defaultStats() {
        return Optional.of(PLUGINS);
    }

    @Override
    public Backend open(PluginConfig config) {
        String schema = tables(config.url().option(TABLES));
        PostgresLink link = PostgresLink.open(config, Set.of(TABLES));
        if (link.options().historyMillis() > 0) {
            link.close();
            throw new ConfigurationException("option jono.history: " + TYPE + " keeps no consumed messages");
        }
        return new KeussPostgresBackend(link, schema, config);
    }

    /** keuss does not name a schema, and {@code public} is PostgreSQL's default. */
    private static String tables(@Nullable String option) {
        return option == null ? "public" : PostgresOptions.schema(option);
    }
}
