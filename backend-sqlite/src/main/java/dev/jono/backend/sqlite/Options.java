package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content of a {@code sqlite:} URL.
 *
 * @param path the file, as written in the URL
 * @param fullDurability whether a commit waits for the disk
 * @param historyMillis how long consumed messages of queues without their own setting are kept, in ms; 0 keeps none
 * @param busyMillis how long a write waits for other processes, in milliseconds
 * @param create whether a missing file is created
 */
record Options(Path path, boolean fullDurability, long historyMillis, long busyMillis, boolean create) {
    /** A form that SQLite, JDBC or another storage reads as a URI. A file name may contain a colon. */
    private static final Pattern URI = Pattern.compile("(?i)(?:file|jdbc):|[a-z][a-z0-9+.-]+://|//[^/]");

    /** Options of the file. A backend, a signaller and stats may set them. */
    static final Set<String> FILE_OPTIONS = Set.of("durability", "busy", "create");

    /** Further options, which only the backend has. */
    private static final Set<String> BACKEND_OPTIONS = Set.of("history");

    private static final Duration DEFAULT_BUSY = Duration.ofSeconds(5);

    /** Parses the URL of a backend. */
    static Options parse(ConnectionUrl url) {
        Set<String> known = new HashSet<>(FILE_OPTIONS);
        known.addAll(BACKEND_OPTIONS);
        return parse(url, known);
    }

    /** Parses the URL of a plugin that knows these options. */
    static Options parse(ConnectionUrl url, Set<String> known) {
        url.refuseUnknownOptions(known);
        String location = url.plainLocation(known);
        if (location.isBlank() || location.equals(":memory:")) {
            throw new ConfigurationException("'" + url + "' names no file: expected a form such as"
                    + " sqlite:/path/to/file.db; for queues in memory use memory:");
        }
        if (URI.matcher(location).lookingAt()) {
            throw new ConfigurationException(
                    "'" + url + "' holds a URI: expected a path, such as sqlite:/path/to/file.db or sqlite:file.db");
        }
        return new Options(
                path(location),
                oneOf(url, "durability", "full", "normal").equals("full"),
                millis(url, "history", Duration.ZERO),
                millis(url, "busy", DEFAULT_BUSY),
                oneOf(url, "create", "true", "false").equals("true"));
    }

    private static Path path(String location) {
        try {
            return Path.of(location);
        } catch (InvalidPathException e) {
            throw new ConfigurationException("'" + location + "' is not a path: " + e.getMessage(), e);
        }
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

    private static long millis(ConnectionUrl url, String name, Duration otherwise) {
        Duration value = url.durationOption(name);
        return (value == null ? otherwise : value).toMillis();
    }
}
