package dev.jono.spi;

import dev.jono.ConfigurationException;
import dev.jono.Durations;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code type:location?options}: the type, the location with the driver's own options, and Jono's options,
 * which are prefixed {@code jono.} in the URL and stand here without the prefix. Never prints credentials.
 */
public final class ConnectionUrl {
    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9-]*");
    /** To the last at sign: a password may hold any character, if somebody forgot to encode it. */
    private static final Pattern USER_INFO = Pattern.compile("//.*@");

    /** Where the slashes were forgotten. */
    private static final Pattern BARE_USER_INFO = Pattern.compile("[^/?]*:[^/?]*@");

    private static final Pattern SECRET = Pattern.compile("(?i)((?:password|secret|token|key)[^=&]*=)[^&]*");
    private static final String PREFIX = "jono.";

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
     * @throws ConfigurationException if it has no type, or an option is given twice or without a value
     */
    public static ConnectionUrl parse(String url) {
        int colon = url.indexOf(':');
        if (colon < 1 || !TYPE.matcher(url.substring(0, colon)).matches()) {
            throw new ConfigurationException("'" + redact(url)
                    + "' is not a Jono URL: expected TYPE:LOCATION, such as memory: or sqlite:/path/to/file.db");
        }
        String rest = url.substring(colon + 1);
        int question = rest.indexOf('?');
        if (question < 0) {
            return new ConnectionUrl(url.substring(0, colon), rest, Map.of());
        }
        Map<String, String> options = new LinkedHashMap<>();
        StringBuilder foreign = new StringBuilder();
        for (String part : rest.substring(question + 1).split("&", -1)) {
            if (part.startsWith(PREFIX)) {
                addOption(options, part.substring(PREFIX.length()));
            } else if (!part.isEmpty()) {
                foreign.append(foreign.length() == 0 ? '?' : '&').append(part);
            }
        }
        return new ConnectionUrl(url.substring(0, colon), rest.substring(0, question) + foreign, Map.copyOf(options));
    }

    private static void addOption(Map<String, String> options, String part) {
        int equals = part.indexOf('=');
        if (equals < 1) {
            throw new ConfigurationException("option 'jono." + part + "' has no value: expected jono.NAME=VALUE");
        }
        String name = part.substring(0, equals);
        String value = URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
        if (options.put(name, value) != null) {
            throw new ConfigurationException("option 'jono." + name + "' is given twice");
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
     * Refuses options that the plugin does not know.
     *
     * @throws ConfigurationException naming the unknown and the known ones
     */
    public void refuseUnknownOptions(Set<String> known) {
        TreeSet<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new ConfigurationException("unknown option " + prefixed(unknown) + " for '" + type + "': "
                    + (known.isEmpty() ? "it has none" : "known are " + prefixed(new TreeSet<>(known))));
        }
    }

    private static String prefixed(Set<String> names) {
        return PREFIX + String.join(", " + PREFIX, names);
    }

    /** The URL without user, password and secret options, for messages. */
    @Override
    public String toString() {
        return type + ":" + redact(location);
    }

    private static String redact(String text) {
        String hidden = USER_INFO.matcher(text).replaceAll("//***@");
        return SECRET.matcher(BARE_USER_INFO.matcher(hidden).replaceAll("***@")).replaceAll("$1***");
    }
}
