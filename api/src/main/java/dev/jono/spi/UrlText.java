package dev.jono.spi;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hides the parts of a URL that may be secret. It prints hosts, the path, and options that are known to be harmless, and
 * replaces everything else by three stars, even if the URL is malformed.
 */
final class UrlText {
    static final String HIDDEN = "***";

    /** A host, with or without a port. A text with other characters may be a password whose host is missing. */
    static final String HOST = "(?:[\\p{L}\\p{N}._~%-]+|\\[[0-9A-Fa-f:.%]+])(?::[0-9]{1,5})?";

    private static final Pattern HOSTS = Pattern.compile("(?:" + HOST + "(?:," + HOST + ")*)?");

    /** The text before the authority, the authority, and the text after it. */
    private static final Pattern AUTHORITY = Pattern.compile("(?s)((?:[A-Za-z][A-Za-z0-9+.-]*:)*//)([^/?#]*)(.*)");

    /** A user and password in a URL whose slashes are missing. */
    private static final Pattern BARE_USER_INFO = Pattern.compile("(?s).*:.*@");

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.,:$-]*");
    private static final Pattern NUMBER = Pattern.compile("true|false|[0-9]{1,9}(?:d|h|m|s|ms|us|ns)?");

    /** Names of driver options, in lower case, whose values are words that are not secret and help in a message. */
    private static final Set<String> WORDS = Set.of(
            "appname",
            "authmechanism",
            "authsource",
            "clientname",
            "compressors",
            "libraryname",
            "libraryversion",
            "readconcernlevel",
            "readpreference",
            "replicaset",
            "sentinelmasterid",
            "servermonitoringmode",
            "srvservicename",
            "uuidrepresentation",
            "verifypeer",
            "w");

    /** Names of driver options, in lower case, whose values are numbers, durations, true or false. */
    private static final Set<String> NUMBERS = Set.of(
            "connecttimeoutms",
            "database",
            "db",
            "directconnection",
            "heartbeatfrequencyms",
            "j",
            "journal",
            "loadbalanced",
            "localthresholdms",
            "maxconnecting",
            "maxidletimems",
            "maxlifetimems",
            "maxpoolsize",
            "maxstalenessseconds",
            "minpoolsize",
            "retryreads",
            "retrywrites",
            "safe",
            "serverselectiontimeoutms",
            "sockettimeoutms",
            "srvmaxhosts",
            "ssl",
            "sslinvalidhostnameallowed",
            "timeout",
            "timeoutms",
            "tls",
            "tlsallowinvalidhostnames",
            "tlsinsecure",
            "waitqueuetimeoutms",
            "wtimeout",
            "wtimeoutms",
            "zlibcompressionlevel");

    private UrlText() {}

    static boolean harmless(String option, String value) {
        String name = option.toLowerCase(Locale.ROOT);
        return (WORDS.contains(name) && WORD.matcher(value).matches())
                || (NUMBERS.contains(name) && NUMBER.matcher(value).matches());
    }

    /** Returns a URL, or the part after its type, without what may be secret. */
    static String printable(String text) {
        Matcher parts = AUTHORITY.matcher(text);
        if (!parts.matches()) {
            Matcher userInfo = BARE_USER_INFO.matcher(text);
            String shown = userInfo.lookingAt() ? HIDDEN + "@" + text.substring(userInfo.end()) : text;
            int question = shown.indexOf('?');
            return question < 0 ? shown : shown.substring(0, question) + options(shown.substring(question));
        }
        String authority = parts.group(2);
        String rest = parts.group(3);
        String hosts = authority.substring(authority.lastIndexOf('@') + 1);
        if (rest.indexOf('@') >= 0 || !HOSTS.matcher(hosts).matches()) {
            return parts.group(1) + HIDDEN; // an unencoded password may reach into all of it
        }
        int question = rest.indexOf('?');
        return parts.group(1)
                + (hosts.length() == authority.length() ? "" : HIDDEN + "@")
                + hosts
                + (question < 0 ? rest : rest.substring(0, question) + options(rest.substring(question)));
    }

    /** The options after a question mark, and the fragment after them, if there is one. */
    private static String options(String query) {
        return "?"
                + Arrays.stream(query.substring(1).split("&", -1))
                        .map(UrlText::option)
                        .collect(Collectors.joining("&"));
    }

    private static String option(String part) {
        String[] both = part.split("=", 2);
        return both.length == 2 && harmless(both[0], both[1]) ? part : HIDDEN;
    }
}
