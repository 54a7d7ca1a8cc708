package dev.jono.support.postgres;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Jono's options of a connection.
 *
 * @param schema the schema of the tables
 * @param create whether a missing schema is created
 * @param listens whether signals are sent and received, by {@code NOTIFY} and {@code LISTEN}
 * @param poolSize most connections that are open at one time, except that of the signaller
 * @param historyMillis how long consumed messages of queues without their own setting are kept, in ms; 0 keeps none
 */
public record PostgresOptions(String schema, boolean create, boolean listens, int poolSize, long historyMillis) {
    /** The schema if none is named. */
    public static final String DEFAULT_SCHEMA = "jono";

    private static final String SCHEMA = "schema";
    private static final String CREATE = "create";
    private static final String SIGNAL = "signal";
    private static final String POOL = "pool";
    private static final String HISTORY = "history";
    private static final Set<String> NAMES = Set.of(SCHEMA, CREATE, SIGNAL, POOL, HISTORY);

    /** PostgreSQL cuts longer names. The rest is room for the name of the channel of signals. */
    private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,47}");

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,3}");
    private static final int DEFAULT_POOL = 10;

    /**
     * Parses the options of a URL.
     *
     * @param extra the names of the plugin's own options
     */
    static PostgresOptions parse(ConnectionUrl url, Set<String> extra) {
        Set<String> known = new HashSet<>(NAMES);
        known.addAll(extra);
        url.refuseUnknownOptions(known);
        Duration history = url.durationOption(HISTORY);
        return new PostgresOptions(
                schema(url.option(SCHEMA)),
                oneOf(url, CREATE, "true", "false").equals("true"),
                oneOf(url, SIGNAL, "listen", "poll").equals("listen"),
                poolSize(url.option(POOL)),
                history == null ? 0 : history.toMillis());
    }

    /** Refuses these options in the URL of a plugin that shares the connection of a backend. */
    static void refuseOwn(ConnectionUrl url) {
        url.refuseConnectionOptions(NAMES);
        if (!url.location().isEmpty()) {
            throw new ConfigurationException(
                    "'" + url + "' names a server, but shares the backend's connection: leave out" + " what follows '"
                            + url.type() + ":'");
        }
    }

    /**
     * Checks the name of a schema.
     *
     * @param value the name; null for the default
     * @throws ConfigurationException if it is not a plain name
     */
    public static String schema(@Nullable String value) {
        if (value == null) {
            return DEFAULT_SCHEMA;
        }
        if (!SCHEMA_NAME.matcher(value).matches() || value.startsWith("pg_")) {
            throw new ConfigurationException(
                    "the schema '" + value + "' is not a plain name: expected up to 48 lower-case"
                            + " letters, digits and '_', and neither a digit nor 'pg_' at the beginning");
        }
        return value;
    }

    private static int poolSize(@Nullable String value) {
        if (value == null) {
            return DEFAULT_POOL;
        }
        if (!NUMBER.matcher(value).matches()) {
            throw new ConfigurationException(
                    "option jono." + POOL + ": '" + value + "' is not a number from 1 to 9999");
        }
        return Integer.parseInt(value);
    }

    /** The value of an option with two allowed values; the first if the option is not set. */
    private static String oneOf(ConnectionUrl url, String name, String first, String second) {
        String value = url.option(name);
        if (value == null || value.equals(first)) {
            return first;
        }
        if (value.equals(second)) {
            return second;
        }
        throw new ConfigurationException(
                "option jono." + name + ": '" + value + "' is unknown: known are " + first + " and " + second);
    }
}
