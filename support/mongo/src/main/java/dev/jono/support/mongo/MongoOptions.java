package dev.jono.support.mongo;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Jono's options for MongoDB in a URL.
 *
 * @param timeout how long one command may take, and how long a server is looked for, unless the URI has the driver's own
 *     options for that
 * @param oneDatabase whether signals and stats live in the database of the queues, and not in ones of their own beside it
 */
public record MongoOptions(Duration timeout, boolean oneDatabase) {
    private static final Set<String> COMMON = Set.of("timeout", "one-database");
    /** Below the queues' operation timeout, so that what is told is what happened here. */
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    /**
     * Reads the options.
     *
     * @param extra the names of options that the plugin has beyond these
     * @throws ConfigurationException if one is unknown or wrong
     */
    public static MongoOptions parse(ConnectionUrl url, Set<String> extra) {
        Set<String> known = new HashSet<>(COMMON);
        known.addAll(extra);
        url.refuseUnknownOptions(known);
        Duration timeout = url.positiveDurationOption("timeout");
        return new MongoOptions(timeout == null ? TIMEOUT : timeout, oneDatabase(url));
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

    /** A plugin that shares the backend's connection has none of these itself. */
    static void refuseOwn(ConnectionUrl url) {
        url.refuseConnectionOptions(COMMON);
    }
}
