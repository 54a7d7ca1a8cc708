package dev.jono.support.redis;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.DriverUri;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts Jono's URLs to Lettuce's URIs, part by part. Parts that Lettuce would ignore or misread are refused by name. No
 * exception message contains the password.
 */
final class RedisUris {
    private static final String DEFAULT = "redis://localhost:6379";
    private static final String FORM = "redis://user:password@host:6379/0, or rediss:// for TLS, redis-socket:///path,"
            + " redis-sentinel://host:26379/0?sentinelMasterId=master, redis://host1:7000,host2:7000 for a Cluster";
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(d|h|m|s|ms|us|ns)?");
    private static final Pattern DATABASE = Pattern.compile("[0-9]{1,9}");

    private enum Kind {
        NODE,
        SOCKET,
        SENTINEL
    }

    private static final Map<String, Kind> SCHEMES = Map.of(
            RedisURI.URI_SCHEME_REDIS, Kind.NODE,
            RedisURI.URI_SCHEME_REDIS_SECURE, Kind.NODE,
            RedisURI.URI_SCHEME_REDIS_SECURE_ALT, Kind.NODE,
            RedisURI.URI_SCHEME_REDIS_TLS_ALT, Kind.NODE,
            RedisURI.URI_SCHEME_REDIS_SOCKET, Kind.SOCKET,
            RedisURI.URI_SCHEME_REDIS_SOCKET_ALT, Kind.SOCKET,
            RedisURI.URI_SCHEME_REDIS_SENTINEL, Kind.SENTINEL,
            RedisURI.URI_SCHEME_REDIS_SENTINEL_SECURE, Kind.SENTINEL);

    private static final Set<String> TLS = Set.of(
            RedisURI.URI_SCHEME_REDIS_SECURE,
            RedisURI.URI_SCHEME_REDIS_SECURE_ALT,
            RedisURI.URI_SCHEME_REDIS_TLS_ALT,
            RedisURI.URI_SCHEME_REDIS_SENTINEL_SECURE);

    private static final Map<String, LongFunction<Duration>> UNITS = RedisURI.CONVERTER_MAP;

    /** The options that name the database, which may also be in the path. */
    private static final Set<String> DATABASES =
            Set.of(RedisURI.PARAMETER_NAME_DATABASE, RedisURI.PARAMETER_NAME_DATABASE_ALT);

    private final DriverUri uri;
    private final Kind kind;
    private final boolean tls;
    /** The values by name in lower case. */
    private final Map<String, String> options = new TreeMap<>();

    private RedisUris(ConnectionUrl url) {
        String location = url.location().isEmpty() ? DEFAULT : url.location();
        this.uri = DriverUri.parse(url, location, SCHEMES.keySet(), FORM);
        this.kind = SCHEMES.getOrDefault(uri.scheme(), Kind.NODE);
        this.tls = TLS.contains(uri.scheme());
        uri.refuseUnknownOptions(Options.NAMES, "Lettuce");
        uri.options().forEach((name, value) -> options.put(name.toLowerCase(Locale.ROOT), value));
    }

    /** The options of Lettuce in a URI. */
    private enum Options {
        TIMEOUT(RedisURI.PARAMETER_NAME_TIMEOUT),
        DATABASE(RedisURI.PARAMETER_NAME_DATABASE),
        DB(RedisURI.PARAMETER_NAME_DATABASE_ALT),
        SENTINEL_MASTER_ID(RedisURI.PARAMETER_NAME_SENTINEL_MASTER_ID),
        CLIENT_NAME(RedisURI.PARAMETER_NAME_CLIENT_NAME),
        LIBRARY_NAME(RedisURI.PARAMETER_NAME_LIBRARY_NAME),
        LIBRARY_VERSION(RedisURI.PARAMETER_NAME_LIBRARY_VERSION),
        VERIFY_PEER(RedisURI.PARAMETER_NAME_VERIFY_PEER);

        static final Set<String> NAMES = Set.copyOf(Arrays.stream(values())
                .map(o -> o.text.toLowerCase(Locale.ROOT))
                .toList());

        final String text;

        Options(String text) {
            this.text = text;
        }
    }

    /** The server of a URL: one node, or Sentinels and the name of the primary. */
    static RedisURI server(ConnectionUrl url) {
        RedisUris location = new RedisUris(url);
        return location.complete(location.address(), false);
    }

    /** The nodes of a Cluster in a URL. */
    static List<RedisURI> nodes(ConnectionUrl url) {
        RedisUris location = new RedisUris(url);
        if (location.kind != Kind.NODE) {
            throw location.uri.wrong("a Cluster needs the addresses of its nodes, with redis:// or rediss://");
        }
        location.requireHost();
        return location.uri.hosts().stream()
                .map(host -> location.complete(node(host), true))
                .toList();
    }

    /** Whether a URL names several nodes, as for a Cluster. */
    static boolean namesSeveralNodes(ConnectionUrl url) {
        RedisUris location = new RedisUris(url);
        return location.kind == Kind.NODE && location.uri.hosts().size() > 1;
    }

    /** Lettuce's option {@code timeout} in a URL; null without it. */
    static @Nullable Duration timeout(ConnectionUrl url) {
        RedisUris location = new RedisUris(url);
        String value = location.option(Options.TIMEOUT);
        if (value == null) {
            return null;
        }
        Matcher parts = DURATION.matcher(value.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            throw location.wrong(Options.TIMEOUT, "is not a duration such as 3s or 500ms");
        }
        String unit = parts.group(2) == null ? "ms" : parts.group(2);
        Duration timeout = UNITS.getOrDefault(unit, Duration::ofMillis).apply(Long.parseLong(parts.group(1)));
        if (timeout.isZero()) {
            throw location.wrong(Options.TIMEOUT, "must be longer than zero");
        }
        return timeout;
    }

    private RedisURI.Builder address() {
        return switch (kind) {
            case SOCKET -> socket();
            case SENTINEL -> sentinels();
            case NODE -> {
                requireHost();
                if (uri.hosts().size() > 1) {
                    throw uri.wrong(
                            "it names several nodes, but jono.cluster=false says that the server is not a Cluster");
                }
                yield node(uri.hosts().get(0));
            }
        };
    }

    private void requireHost() {
        if (uri.hosts().isEmpty()) {
            throw uri.wrong("it names no host");
        }
    }

    private static RedisURI.Builder node(DriverUri.Host host) {
        return RedisURI.Builder.redis(host.name(), host.portOr(RedisURI.DEFAULT_REDIS_PORT));
    }

    private RedisURI.Builder socket() {
        if (!uri.hosts().isEmpty() || uri.path().length() < 2) {
            throw uri.wrong("a socket is a path without a host, after three slashes");
        }
        return RedisURI.Builder.socket(uri.path());
    }

    private RedisURI.Builder sentinels() {
        requireHost();
        RedisURI.Builder builder = RedisURI.builder();
        for (DriverUri.Host host : uri.hosts()) {
            builder.withSentinel(host.name(), host.portOr(RedisURI.DEFAULT_SENTINEL_PORT));
        }
        return builder.withSentinelMasterId(masterId());
    }

    /** The name under which the Sentinels watch the primary: an option, or the fragment. */
    private String masterId() {
        String option = option(Options.SENTINEL_MASTER_ID);
        String fragment = uri.fragment();
        if (option != null && fragment != null) {
            throw wrong(Options.SENTINEL_MASTER_ID, "is given twice: as an option and after '#'");
        }
        String id = option == null ? fragment : option;
        if (id == null || id.isEmpty()) {
            throw wrong(Options.SENTINEL_MASTER_ID, "is missing: the name under which the Sentinels watch the primary");
        }
        return id;
    }

    private RedisURI complete(RedisURI.Builder builder, boolean cluster) {
        if (kind != Kind.SENTINEL) {
            uri.refuseFragment();
            refuse(Options.SENTINEL_MASTER_ID, "is for redis-sentinel://");
        }
        if (!tls) {
            refuse(Options.VERIFY_PEER, "is for TLS: rediss:// or rediss-sentinel://");
        }
        builder.withSsl(tls).withStartTls(uri.scheme().equals(RedisURI.URI_SCHEME_REDIS_TLS_ALT));
        authenticate(builder);
        int database = database();
        if (cluster && database != 0) {
            throw uri.wrong("a Cluster has only the database 0");
        }
        builder.withDatabase(database);
        try {
            String value = option(Options.VERIFY_PEER);
            if (value != null) {
                builder.withVerifyPeer(SslVerifyMode.valueOf(value.toUpperCase(Locale.ROOT)));
            }
        } catch (IllegalArgumentException unknown) {
            throw wrong(Options.VERIFY_PEER, "must be one of " + Arrays.toString(SslVerifyMode.values()));
        }
        setClientNames(builder);
        return builder.build();
    }

    private void authenticate(RedisURI.Builder builder) {
        String info = uri.userInfo();
        if (info == null) {
            return;
        }
        int colon = info.indexOf(':');
        String user = DriverUri.decode(info.substring(0, Math.max(0, colon)));
        String password = DriverUri.decode(info.substring(colon + 1));
        if (password.isEmpty()) {
            throw uri.wrong("it names a user without a password: expected user:password@ or :password@");
        }
        if (user.isEmpty()) {
            builder.withPassword(password);
        } else {
            builder.withAuthentication(user, password);
        }
    }

    private int database() {
        String found = kind == Kind.SOCKET || uri.path().length() < 2
                ? null
                : uri.path().substring(1);
        for (String name : DATABASES) {
            String value = options.get(name);
            if (value != null && found != null) {
                throw uri.wrong("the database is given twice");
            }
            found = value == null ? found : value;
        }
        if (found != null && !DATABASE.matcher(found).matches()) {
            throw uri.wrong("the database is not a number: expected one such as /0, or ?database=0");
        }
        return found == null ? 0 : Integer.parseInt(found);
    }

    private void setClientNames(RedisURI.Builder builder) {
        String client = asciiWord(Options.CLIENT_NAME);
        if (client != null) {
            builder.withClientName(client);
        }
        String library = asciiWord(Options.LIBRARY_NAME);
        if (library != null) {
            builder.withLibraryName(library);
        }
        String version = asciiWord(Options.LIBRARY_VERSION);
        if (version != null) {
            builder.withLibraryVersion(version);
        }
    }

    /** An option without spaces, which Redis refuses in names. */
    private @Nullable String asciiWord(Options option) {
        String value = option(option);
        if (value != null && !value.matches("[!-~]+")) {
            throw wrong(option, "must be printable ASCII without spaces");
        }
        return value;
    }

    private @Nullable String option(Options option) {
        return options.get(option.text.toLowerCase(Locale.ROOT));
    }

    private void refuse(Options option, String why) {
        if (option(option) != null) {
            throw wrong(option, why);
        }
    }

    private RuntimeException wrong(Options option, String what) {
        return uri.wrong("option " + option.text + " " + what);
    }
}
