package dev.jono.spi;

import dev.jono.ConfigurationException;
import dev.jono.Durations;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed URL {@code type:location?options}: the type, the location with the driver's own options, and Jono's options.
 * Jono's options have the prefix {@code jono.} in the URL, and no prefix here. Immutable; its text never shows
 * credentials.
 *
 * <p>A plugin uses or refuses every part of the URL: Jono's options with {@link #refuseUnknownOptions}, and the location
 * with {@link #plainLocation} or, if it is the URI of a driver, with {@link DriverUri}.
 */
public final class ConnectionUrl {
    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9+-]*");
    private static final String PREFIX = "jono.";

    /** One of Jono's options after a character that does not separate options. */
    private static final Pattern MISPLACED = Pattern.compile("[&;?#](jono\\.[A-Za-z0-9_-]*)=");

    private final String type;
    private final String location;
    private final Map<String, String> options;

    private ConnectionUrl(String type, String location, Map<String, String> options) {
        this.type = type;
        this.location = location;
        this.options = options;
    }

    /**
     * Parses a URL.
     *
     * @throws ConfigurationException if it has no type, or if an option is given twice, has no value, or is in the wrong
     *     place
     */
    public static ConnectionUrl parse(String url) {
        int colon = url.indexOf(':');
        if (colon < 1 || !TYPE.matcher(url.substring(0, colon)).matches()) {
            throw new ConfigurationException("'" + UrlText.printable(url)
                    + "' is not a Jono URL: expected TYPE:LOCATION, such as memory: or sqlite:/path/to/file.db");
        }
        String rest = url.substring(colon + 1);
        int question = rest.indexOf('?');
        String location = question < 0 ? rest : rest.substring(0, question);
        Map<String, String> options = new LinkedHashMap<>();
        StringBuilder foreign = new StringBuilder();
        for (String part :
                question < 0 ? new String[0] : rest.substring(question + 1).split("&", -1)) {
            if (part.startsWith(PREFIX)) {
                addOption(options, part);
            } else if (!part.isEmpty()) {
                foreign.append(foreign.length() == 0 ? '?' : '&').append(part);
            }
        }
        refuseMisplaced(location + foreign);
        return new ConnectionUrl(url.substring(0, colon), location + foreign, Map.copyOf(options));
    }

    private static void addOption(Map<String, String> options, String part) {
        refuseMisplaced(part);
        int equals = part.indexOf('=');
        if (equals <= PREFIX.length()) {
            throw new ConfigurationException(
                    "option '" + (equals < 0 ? part : PREFIX) + "' has no name or no value: expected jono.NAME=VALUE");
        }
        String name = part.substring(PREFIX.length(), equals);
        String raw = part.substring(equals + 1);
        if (raw.indexOf('#') >= 0) {
            throw new ConfigurationException("option '" + PREFIX + name
                    + "' contains a '#': write it as %23; a fragment belongs before the '?'");
        }
        String value;
        try {
            value = URLDecoder.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "option '" + PREFIX + name
                            + "' contains a '%' that does not begin a percent-encoding: write it as %25",
                    e);
        }
        if (options.put(name, value) != null) {
            throw new ConfigurationException("option '" + PREFIX + name + "' is given twice");
        }
    }

    private static void refuseMisplaced(String text) {
        Matcher found = MISPLACED.matcher(text);
        if (found.find()) {
            throw new ConfigurationException("option '" + found.group(1)
                    + "' is in the wrong place: expected TYPE:LOCATION?NAME=VALUE&NAME=VALUE");
        }
    }

    /** The type: what stands before the first colon. */
    public String type() {
        return type;
    }

    /**
     * The location: what follows the first colon, with the driver's own options and without Jono's. May contain
     * credentials.
     */
    public String location() {
        return location;
    }

    /**
     * Returns the location, for a plugin whose driver has no options in a URL.
     *
     * @param known the names of the plugin's own options, without prefix, for the message
     * @throws ConfigurationException if the location has options; its message names them
     */
    public String plainLocation(Set<String> known) {
        int question = location.indexOf('?');
        if (question >= 0) {
            // Only names are shown: a value may be a secret that was meant for another storage.
            String names = Arrays.stream(location.substring(question + 1).split("&"))
                    .map(option -> option.matches("[A-Za-z0-9._-]+=.*") ? option.split("=", 2)[0] : UrlText.HIDDEN)
                    .collect(Collectors.joining(", "));
            throw new ConfigurationException("unknown option " + names + " in '" + this + "': " + known(known));
        }
        return location;
    }

    /** Returns the value of one of Jono's options; null if it is not given. */
    public @Nullable String option(String name) {
        return options.get(name);
    }

    /**
     * Returns an option that is a duration, such as {@code 500ms} or {@code 2m}; null if it is not given.
     *
     * @throws ConfigurationException if the value is not a duration
     */
    public @Nullable Duration durationOption(String name) {
        String value = options.get(name);
        if (value == null) {
            return null;
        }
        try {
            return Durations.parse(value);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("option jono." + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns an option that is a duration longer than zero; null if it is not given.
     *
     * @throws ConfigurationException if the value is not a duration, or is zero
     */
    public @Nullable Duration positiveDurationOption(String name) {
        Duration value = durationOption(name);
        if (value != null && value.isZero()) {
            throw new ConfigurationException("option jono." + name + " must be longer than zero");
        }
        return value;
    }

    /**
     * Refuses options of Jono that the plugin does not know.
     *
     * @param known the names of the known options, without prefix
     * @throws ConfigurationException if there is an unknown option; its message names the unknown and the known options
     */
    public void refuseUnknownOptions(Set<String> known) {
        TreeSet<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new ConfigurationException(
                    "unknown option " + prefixed(unknown) + " for '" + type + "': " + known(known));
        }
    }

    /**
     * Refuses options of a connection, for a plugin that shares the connection of its factory's backend.
     *
     * @param names the names of options that belong to the connection, without prefix
     * @throws ConfigurationException if one of them is given; its message names the first
     */
    public void refuseConnectionOptions(Set<String> names) {
        for (String name : new TreeSet<>(names)) {
            if (options.containsKey(name)) {
                throw new ConfigurationException("option jono." + name + " in '" + this
                        + "': it shares the backend's connection, so set the option in the backend's URL");
            }
        }
    }

    private static String known(Set<String> known) {
        return known.isEmpty() ? "it has none" : "known are " + prefixed(new TreeSet<>(known));
    }

    private static String prefixed(Set<String> names) {
        return PREFIX + String.join(", " + PREFIX, names);
    }

    /** The URL with hosts, path and harmless options of the driver, for messages. Shows neither user nor password. */
    @Override
    public String toString() {
        return type + ":" + UrlText.printable(location);
    }
}
