package dev.jono.spi;

import dev.jono.ConfigurationException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed location of a {@link ConnectionUrl} that is the URI of a driver: {@code
 * SCHEME://USER:PASSWORD@HOST:PORT,HOST:PORT/PATH?NAME=VALUE&NAME=VALUE#FRAGMENT}. Immutable.
 *
 * <p>A plugin uses each part or refuses it with {@link #wrong}, because drivers silently ignore parts that they do not
 * know. No message shows the user or the password.
 */
public final class DriverUri {
    private static final Pattern FORM =
            Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?([^?#]*)" + "(?:\\?([^#]*))?(?:#(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[.*]|[^:]*)(?::([0-9]+))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
    private static final Pattern BROKEN_ENCODING = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final int LAST_PORT = 65_535;
    private static final String ENCODE =
            "percent-encode it: a user or password that contains one of @ / : ? # % writes it as"
                    + " %40 %2F %3A %3F %23 %25";

    private final ConnectionUrl url;
    private final String form;
    private String scheme = "";
    private @Nullable String userInfo;
    private List<Host> hosts = List.of();
    private String path = "";
    private final Map<String, String> options = new LinkedHashMap<>();
    private @Nullable String fragment;

    private DriverUri(ConnectionUrl url, String form) {
        this.url = url;
        this.form = form;
    }

    /** A host and its port. Immutable. */
    public static final class Host {
        private final String name;
        private final int port;

        private Host(String name, int port) {
            this.name = name;
            this.port = port;
        }

        /** The name or address; an IPv6 address without brackets. */
        public String name() {
            return name;
        }

        /**
         * The port, 1 to 65535.
         *
         * @param otherwise the result if the URI names no port
         */
        public int portOr(int otherwise) {
            return port == 0 ? otherwise : port;
        }
    }

    /**
     * Parses a location.
     *
     * @param url the URL that the location belongs to
     * @param location as {@link ConnectionUrl#location}, or the plugin's default if that is empty
     * @param schemes the schemes that the plugin knows, in the case in which they are written
     * @param form an example for messages, without the type
     * @throws ConfigurationException if it is not such a URI, has an option twice, or has a user or password that is not
     *     percent-encoded
     */
    public static DriverUri parse(ConnectionUrl url, String location, Set<String> schemes, String form) {
        DriverUri uri = new DriverUri(url, form);
        Matcher parts = FORM.matcher(location);
        if (!parts.matches() || !schemes.contains(parts.group(1))) {
            throw uri.wrong("it is not a URI that begins with one of " + String.join(", ", new TreeSet<>(schemes)));
        }
        uri.scheme = parts.group(1);
        String authority = parts.group(2) == null ? "" : parts.group(2);
        if (location.indexOf('@', parts.start(3)) >= 0) {
            throw uri.wrong("there is an '@' after the hosts; if it belongs to a password, " + ENCODE);
        }
        uri.authority(authority);
        uri.path = uri.decoded("the path", parts.group(3));
        if (parts.group(4) != null) {
            for (String option : parts.group(4).split("[&;]", -1)) {
                uri.option(option);
            }
        }
        uri.fragment = parts.group(5) == null ? null : uri.decoded("the fragment", parts.group(5));
        return uri;
    }

    private void authority(String text) {
        int at = text.lastIndexOf('@');
        if (at >= 0) {
            String info = text.substring(0, at);
            if (info.indexOf('@') >= 0 || BROKEN_ENCODING.matcher(info).find()) {
                throw misencoded();
            }
            userInfo = info;
        }
        List<Host> found = new ArrayList<>();
        String rest = text.substring(at + 1);
        for (String host : rest.isEmpty() ? new String[0] : rest.split(",", -1)) {
            found.add(host(host));
        }
        hosts = Collections.unmodifiableList(found);
    }

    private Host host(String text) {
        Matcher parts = HOST.matcher(text);
        if (parts.matches() && parts.group(2) != null && parts.group(2).length() <= 5) {
            int port = Integer.parseInt(parts.group(2));
            if (port < 1 || port > LAST_PORT) {
                throw wrong("port " + port + " is out of range: expected 1 to " + LAST_PORT);
            }
        }
        if (!parts.matches() || !text.matches(UrlText.HOST)) {
            // The text is not shown: if the host is missing, it may be a password.
            throw wrong("a host is neither HOST nor HOST:PORT; if it is part of a password, " + ENCODE);
        }
        String name = parts.group(1);
        return new Host(
                name.startsWith("[") ? name.substring(1, name.length() - 1) : name,
                parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2)));
    }

    private void option(String text) {
        if (text.isEmpty()) {
            return;
        }
        int equals = text.indexOf('=');
        if (equals < 0 || !NAME.matcher(text.substring(0, equals)).matches()) {
            throw wrong("the part after the '?' is not NAME=VALUE&NAME=VALUE");
        }
        String name = text.substring(0, equals);
        if (options.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
            throw wrong("option " + name + " is given twice");
        }
        options.put(name, decoded("option " + name, text.substring(equals + 1)));
    }

    private String decoded(String what, String text) {
        if (BROKEN_ENCODING.matcher(text).find()) {
            throw wrong(what + " contains a '%' that does not begin a percent-encoding: write it as %25");
        }
        return decode(text);
    }

    /** Decodes a percent-encoded text. A plus sign stays a plus sign. */
    public static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The scheme, as it is written. */
    public String scheme() {
        return scheme;
    }

    /** The user and password, percent-encoded, as {@code USER:PASSWORD}; null if there is no at sign. */
    public @Nullable String userInfo() {
        return userInfo;
    }

    /** The hosts; may be empty. */
    public List<Host> hosts() {
        return hosts;
    }

    /** The path, decoded, with its leading slash; empty if there is none. */
    public String path() {
        return path;
    }

    /**
     * The options, decoded, in their order. The keys are the names as they are written; no two names differ only in case.
     */
    public Map<String, String> options() {
        return Collections.unmodifiableMap(options);
    }

    /** The fragment: what follows the number sign, decoded; null if there is none. */
    public @Nullable String fragment() {
        return fragment;
    }

    /**
     * Refuses options that the driver does not know.
     *
     * @param known the names of the known options in lower case; the case in the URI does not matter
     * @param driver the name of the driver, for messages
     * @throws ConfigurationException if there is an unknown option; its message names the option
     */
    public void refuseUnknownOptions(Set<String> known, String driver) {
        for (String name : options.keySet()) {
            if (!known.contains(name.toLowerCase(Locale.ROOT))) {
                throw wrong("unknown option " + name + ": " + driver + " does not know it");
            }
        }
    }

    /**
     * Refuses a fragment, for drivers that do not use one.
     *
     * @throws ConfigurationException if there is a fragment
     */
    public void refuseFragment() {
        if (fragment != null) {
            throw wrong("the fragment, after '#', has no meaning here: leave it out, or write '#' as %23");
        }
    }

    /** Whether messages and logs may show the value of an option. False for an option that is not given. */
    public boolean harmless(String option) {
        String value = options.get(option);
        return value != null && UrlText.harmless(option, value);
    }

    /** Returns the exception for a user or a password that is not percent-encoded. */
    public ConfigurationException misencoded() {
        return wrong("user and password cannot be distinguished from the rest; " + ENCODE);
    }

    /**
     * Returns an exception that names the URL and the fault. It has no cause, because the message of a driver may quote a
     * password from the URI.
     *
     * @param what the fault, without any part of the user or the password
     */
    public ConfigurationException wrong(String what) {
        return new ConfigurationException(
                "'" + url + "': " + what + " (expected a form such as " + url.type() + ":" + form + ")");
    }

    /** The URL without user and password, for messages. */
    @Override
    public String toString() {
        return url.toString();
    }
}
