package dev.jono.memory;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the URLs of this package, whose location is empty or a name. */
final class UrlNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{0,128}");

    private UrlNames() {}

    /** The name in a URL; empty if there is none. Refuses all options except these. */
    static String of(ConnectionUrl url, Set<String> options) {
        url.refuseUnknownOptions(options);
        String name = url.plainLocation(options);
        if (!NAME.matcher(name).matches()) {
            throw new ConfigurationException("'" + url + "' is not allowed: expected " + url.type() + ": or "
                    + url.type() + ":NAME, with letters, digits, '.', '_' or '-'");
        }
        return name;
    }
}
