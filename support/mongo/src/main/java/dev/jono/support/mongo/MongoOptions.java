package dev.jono.support.mongo;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Jono's options for MongoDB in a URL.
 *
 * @param timeout how long one command may take, and how long the driver looks for a server, unless the URI has the
 *     driver's own options for that
 * @param oneDatabase whether signals and stats are in the database of the queues, and not in databases of their own
 */
public record MongoOptions(Duration timeout, boolean oneDatabase) {
    private static final Set<String> COMMON = Set.of("timeout", "one-database");
    /** Below the operation timeout of queues, so that the caller gets the driver's error. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(8);

    /**
     * Reads the options.
     *
     * @param extra the names of the plugin's own options
     * @throws ConfigurationException if one is unknown or wrong
     */
    public static MongoOptions parse(ConnectionUrl url, Set<String> extra) {
        Set<String> known = new HashSet<>(COMMON);
        known.addAll(extra);
        url.refuseUnknownOptions(known);
        Duration timeout = url.positiveDurationOption("timeout");
        return new MongoOptions(timeout == null ? DEFAULT_TIMEOUT : timeout, oneDatabase(url));
    }

    private static boolean oneDatabase(ConnectionUrl url) {
        String value = url.option("one-database");
        if (value == null) {
            return false;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new ConfigurationException(
                        "option jono.one-database: '" + value + "' is unknown: known are true and false");
        };
    }

    /** Refuses these options for a plugin that shares the backend's connection. */
    static void refuseOwn(ConnectionUrl url) {
        url.refuseConnectionOptions(COMMON);
    }
}
