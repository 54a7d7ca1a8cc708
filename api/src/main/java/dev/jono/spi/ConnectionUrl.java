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
 * A parsed {@code type:location?options}: the type, the location with the driver's own options, and Jono's options,
 * which are prefixed {@code jono.} in the URL and stand here without the prefix. Never prints credentials.
 *
 * <p>A plugin uses or refuses every part of it: Jono's options with {@link #refuseUnknownOptions}, the location with {@link
 * #plainLocation} or, where it is the URI of a driver, with {@link DriverUri}.
 */
public final class ConnectionUrl {
    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9+-]*");
    private static final String PREFIX = "jono.";

    /** An option of ours behind a character that does not separate options. */
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
     * @throws ConfigurationException if it has no type, or an option is given twice, without a value, or in a wrong place
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
            throw new ConfigurationException(
                    "option '" + PREFIX + name + "' holds a '#': write it as %23; a fragment stands before the '?'");
        }
        String value;
        try {
            value = URLDecoder.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "option '" + PREFIX + name + "' holds a '%' that is no percent-encoding: write it as %25", e);
        }
        if (options.put(name, value) != null) {
            throw new ConfigurationException("option '" + PREFIX + name + "' is given twice");
        }
    }

    private static void refuseMisplaced(String text) {
        Matcher found = MISPLACED.matcher(text);
        if (found.find()) {
            throw new ConfigurationException("option '" + found.group(1)
                    + "' stands in a wrong place: expected TYPE:LOCATION?NAME=VALUE&NAME=VALUE");
        }
    }

    /** The type: what stands before the first colon. */
    public String type() {
        return type;
    }

    /** What stands behind the first colon, with the driver's own options and without Jono's. May hold credentials. */
    public String location() {
        return location;
    }

    /**
     * The location of a plugin whose driver has no options in a URL.
     *
     * @throws ConfigurationException if there are any, by name
     */
    public String plainLocation(Set<String> known) {
        int question = location.indexOf('?');
        if (question >= 0) {
            // Names alone: a value may be a secret that was meant for another storage.
            String names = Arrays.stream(location.substring(question + 1).split("&"))
                    .map(option -> option.matches("[A-Za-z0-9._-]+=.*") ? option.split("=", 2)[0] : UrlText.HIDDEN)
                    .collect(Collectors.joining(", "));
            throw new ConfigurationException("unknown option " + names + " in '" + this + "': " + known(known));
        }
        return location;
    }

    /** The value of an option; null when it is not given. */
    public @Nullable String option(String name) {
        return options.get(name);
    }

    /**
     * An option that is a duration such as {@code 500ms} or {@code 2m}.
     *
     * @throws ConfigurationException if it is no duration
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
     * As {@link #durationOption}, longer than zero.
     *
     * @throws ConfigurationException if it is no duration, or zero
     */
    public @Nullable Duration positiveDurationOption(String name) {
        Duration value = durationOption(name);
        if (value != null && value.isZero()) {
            throw new ConfigurationException("option jono." + name + " must be longer than zero");
        }
        return value;
    }

    /**
     * Refuses options that the plugin does not know.
     *
     * @throws ConfigurationException naming the unknown and the known ones
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
     * Refuses options where the plugin shares the connection of its factory's backend.
     *
     * @param names of options that belong to the connection
     * @throws ConfigurationException naming the first of them that is given
     */
    public void refuseConnectionOptions(Set<String> names) {
        for (String name : new TreeSet<>(names)) {
            if (options.containsKey(name)) {
                throw new ConfigurationException("option jono." + name + " in '" + this
                        + "': it shares the backend's connection, so this stands in the backend's URL");
            }
        }
    }

    private static String known(Set<String> known) {
        return known.isEmpty() ? "it has none" : "known are " + prefixed(new TreeSet<>(known));
    }

    private static String prefixed(Set<String> names) {
        return PREFIX + String.join(", " + PREFIX, names);
    }

    /** The URL with hosts, path and harmless options of the driver, for messages: no user, no password. */
    @Override
    public String toString() {
        return type + ":" + UrlText.printable(location);
    }
}
