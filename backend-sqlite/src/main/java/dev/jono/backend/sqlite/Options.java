package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a {@code sqlite:} URL says.
 *
 * @param path the file, as written
 * @param full whether a commit waits for the disk
 * @param historyMillis how long consumed messages are kept where the queue does not say; 0 keeps none
 * @param busyMillis how long to wait for other processes
 * @param create whether a file that is not there is made
 */
record Options(Path path, boolean full, long historyMillis, long busyMillis, boolean create) {
    private static final Set<String> KNOWN = Set.of("busy", "create", "durability", "history");
    private static final Duration BUSY = Duration.ofSeconds(5);

    static Options parse(ConnectionUrl url) {
        return parse(url, Set.of());
    }

    /**
     * Reads them.
     *
     * @param extra names of further options, which somebody else reads
     */
    static Options parse(ConnectionUrl url, Set<String> extra) {
        Set<String> known = new HashSet<>(KNOWN);
        known.addAll(extra);
        url.refuseUnknownOptions(known);
        String location = url.location();
        int question = location.indexOf('?');
        if (question >= 0) {
            // Names alone: a value may be a secret that was meant for another storage.
            String names = Arrays.stream(location.substring(question + 1).split("&"))
                    .map(option -> option.split("=", 2)[0])
                    .collect(Collectors.joining(", "));
            throw new ConfigurationException("unknown option " + names + " in '" + url
                    + "': known are jono.busy, jono.create, jono.durability and jono.history");
        }
        if (location.isBlank() || location.equals(":memory:")) {
            throw new ConfigurationException("'" + url + "' names no file: expected a form such as"
                    + " sqlite:/path/to/file.db; for queues that live in memory alone use memory:");
        }
        return new Options(
                path(location),
                word(url, "durability", "full", "normal").equals("full"),
                millis(url, "history", Duration.ZERO),
                millis(url, "busy", BUSY),
                word(url, "create", "true", "false").equals("true"));
    }

    private static Path path(String location) {
        try {
            return Path.of(location);
        } catch (InvalidPathException e) {
            throw new ConfigurationException("'" + location + "' is not a path: " + e.getMessage(), e);
        }
    }

    /** The value of an option that is one of two words; the first when it is not given. */
    private static String word(ConnectionUrl url, String name, String first, String second) {
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
