package dev.jono.support.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.connection.ClusterConnectionMode;
import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.DriverUri;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the driver's settings from Jono's URLs. Options that the driver would ignore, or that Jono sets itself, are
 * refused by name. Error messages must never contain the password. Used by one thread.
 */
final class DriverSettings {
    private static final String DEFAULT = "mongodb://localhost:27017/keuss";
    private static final String DEFAULT_DATABASE = "keuss";
    private static final String SRV = "mongodb+srv";
    private static final Set<String> SCHEMES = Set.of("mongodb", SRV);
    private static final String FORM = "mongodb://user:password@host1:27017,host2:27017/database?replicaSet=name,"
            + " or mongodb+srv://host/database";

    /** The driver's options that Jono passes to it, in lower case. */
    static final Set<String> PASSED_TO_DRIVER = Set.of(
            "appname",
            "authmechanism",
            "authmechanismproperties",
            "authsource",
            "compressors",
            "connecttimeoutms",
            "directconnection",
            "enableoverloadretargeting",
            "gssapiservicename",
            "heartbeatfrequencyms",
            "loadbalanced",
            "localthresholdms",
            "maxadaptiveretries",
            "maxconnecting",
            "maxidletimems",
            "maxlifetimems",
            "maxpoolsize",
            "minpoolsize",
            "proxyhost",
            "proxypassword",
            "proxyport",
            "proxyusername",
            "replicaset",
            "retryreads",
            "retrywrites",
            "servermonitoringmode",
            "serverselectiontimeoutms",
            "sockettimeoutms",
            "srvallowedhostssuffix",
            "srvmaxhosts",
            "srvservicename",
            "ssl",
            "sslinvalidhostnameallowed",
            "timeoutms",
            "tls",
            "tlsallowinvalidhostnames",
            "tlsinsecure",
            "uuidrepresentation",
            "waitqueuetimeoutms",
            "zlibcompressionlevel");

    /**
     * The driver's options that Jono sets for each call, with the values that are allowed because they say the same.
     */
    static final Map<String, Set<String>> SET_BY_JONO = Map.of(
            "w", Set.of("majority"),
            "journal", Set.of("true"),
            "j", Set.of("true"),
            "safe", Set.of("true"),
            "wtimeoutms", Set.of(),
            "wtimeout", Set.of(),
            "readpreference", Set.of("primary"),
            "readpreferencetags", Set.of(),
            "maxstalenessseconds", Set.of(),
            "readconcernlevel", Set.of("local"));

    /**
     * The life of a connection if the URI names one address, unless the URI sets it. Another server may get the
     * address, and the driver would keep the connections to the old one. It is well below the operation timeout of
     * queues, within which refused calls are repeated.
     */
    static final int CONNECTION_LIFE_SECONDS = 4;

    /** The driver's boolean options. The driver ignores other values. */
    private static final Set<String> FLAGS = Set.of(
            "directconnection",
            "enableoverloadretargeting",
            "loadbalanced",
            "retryreads",
            "retrywrites",
            "ssl",
            "sslinvalidhostnameallowed",
            "tls",
            "tlsallowinvalidhostnames",
            "tlsinsecure");

    private static final Set<String> FLAG_VALUES = Set.of("true", "false", "yes", "no", "1", "0");

    /** The driver's options that it ignores if the URI names no user. */
    private static final Set<String> NEEDS_A_USER =
            Set.of("authsource", "authmechanismproperties", "gssapiservicename");

    private final DriverUri uri;
    private final MongoOptions options;

    /** The settings of a new client, and the database. */
    record Target(MongoClientSettings settings, String database) {}

    private DriverSettings(DriverUri uri, MongoOptions options) {
        this.uri = uri;
        this.options = options;
    }

    static Target target(ConnectionUrl url, MongoOptions options) {
        String text = url.location().isEmpty() ? DEFAULT : url.location();
        DriverSettings location = new DriverSettings(DriverUri.parse(url, text, SCHEMES, FORM), options);
        location.refuseUnused();
        try {
            ConnectionString parsed = new ConnectionString(text);
            location.refuseIgnored(parsed);
            String database = parsed.getDatabase() == null ? DEFAULT_DATABASE : parsed.getDatabase();
            return new Target(settings(parsed, options), database);
        } catch (MongoException e) {
            // For mongodb+srv the driver asks the name service, which failed or has no such host.
            throw new StorageException("connecting to " + url + " failed: " + e.getMessage(), null, null, e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw location.refusal();
        }
    }

    private void refuseUnused() {
        Set<String> known = new HashSet<>(PASSED_TO_DRIVER);
        known.addAll(SET_BY_JONO.keySet());
        uri.refuseUnknownOptions(known, "the MongoDB driver");
        uri.refuseFragment();
        if (uri.hosts().isEmpty()) {
            throw uri.wrong("it names no host");
        }
        String info = uri.userInfo();
        if (info != null && info.indexOf(':') != info.lastIndexOf(':')) {
            throw uri.misencoded();
        }
        uri.options().forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (FLAGS.contains(lower) && !FLAG_VALUES.contains(value.trim().toLowerCase(Locale.ROOT))) {
                throw uri.wrong("option " + name + " is neither true nor false");
            }
            Set<String> allowed = SET_BY_JONO.get(lower);
            if (allowed != null && !allowed.contains(value)) {
                throw uri.wrong(
                        "option " + name + ": Jono writes with w=majority and journal=true and reads from the primary,"
                                + " and a call ends with jono.timeout; leave it out");
            }
        });
        int dot = uri.path().indexOf('.');
        if (dot >= 0) {
            throw uri.wrong("the name of a database ends at a dot, and the driver takes '"
                    + uri.path().substring(dot + 1)
                    + "' for a collection; Jono keeps each queue in a collection of its own: name a database"
                    + " without a dot");
        }
    }

    private void refuseIgnored(ConnectionString parsed) {
        for (String name : uri.options().keySet()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (NEEDS_A_USER.contains(lower) && parsed.getCredential() == null) {
                throw uri.wrong("option " + name + ": the URI names no user; leave it out");
            }
            if (lower.equals("zlibcompressionlevel")
                    && parsed.getCompressorList().stream()
                            .noneMatch(compressor -> compressor.getName().equals("zlib"))) {
                throw uri.wrong("option " + name + " is for compressors=zlib");
            }
        }
    }

    /**
     * Finds out why the driver refuses the URI, without showing secrets. It lets the driver check a URI of the harmless
     * parts only. The driver's message for that URI may be shown. If there is none, one of the other parts is wrong.
     */
    private ConfigurationException refusal() {
        List<String> names = List.copyOf(uri.options().keySet());
        String message =
                refusal(base() + query(names.stream().filter(uri::harmless).toList()));
        for (String name : names) {
            String alone = refusal(base() + query(List.of(name)));
            if (alone != null && (message == null ? !uri.harmless(name) : message.equals(alone))) {
                return uri.wrong("option " + name + " is wrong" + (message == null ? "" : ": " + message));
            }
        }
        return message == null ? uri.misencoded() : uri.wrong(message);
    }

    private String base() {
        String hosts = uri.hosts().stream()
                .map(host -> (host.name().indexOf(':') < 0 ? host.name() : "[" + host.name() + "]")
                        + (host.portOr(0) == 0 ? "" : ":" + host.portOr(0)))
                .collect(Collectors.joining(","));
        String user = uri.userInfo() == null ? "" : uri.userInfo().indexOf(':') < 0 ? "user@" : "user:password@";
        return uri.scheme() + "://" + user + hosts + (uri.path().isEmpty() ? "/" : uri.path());
    }

    private String query(List<String> names) {
        return names.stream()
                .map(name ->
                        name + "=" + URLEncoder.encode(uri.options().getOrDefault(name, ""), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", "?", ""));
    }

    private @Nullable String refusal(String text) {
        try {
            settings(new ConnectionString(text), options);
            return null;
        } catch (MongoException | IllegalArgumentException | IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The settings of the URI; timeouts that it leaves open are set so that no call hangs. */
    private static MongoClientSettings settings(ConnectionString uri, MongoOptions options) {
        long timeoutMillis = options.timeout().toMillis();
        MongoClientSettings.Builder settings = MongoClientSettings.builder().applyConnectionString(uri);
        if (uri.getApplicationName() == null) {
            settings.applicationName("jono");
        }
        settings.applyToClusterSettings(cluster -> {
            if (uri.getServerSelectionTimeout() == null) {
                cluster.serverSelectionTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
            }
        });
        settings.applyToSocketSettings(socket -> {
            if (uri.getConnectTimeout() == null) {
                socket.connectTimeout(Math.min(timeoutMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
            }
            if (uri.getSocketTimeout() == null) {
                socket.readTimeout(Math.min(timeoutMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
            }
        });
        MongoClientSettings built = settings.build();
        if (!oneAddress(built) || uri.getMaxConnectionLifeTime() != null) {
            return built;
        }
        return MongoClientSettings.builder(built)
                .applyToConnectionPoolSettings(
                        pool -> pool.maxConnectionLifeTime(CONNECTION_LIFE_SECONDS, TimeUnit.SECONDS))
                .build();
    }

    /** Whether the driver connects to one address, whichever server has it, and does not look for the primary. */
    static boolean oneAddress(MongoClientSettings settings) {
        return settings.getClusterSettings().getMode() == ClusterConnectionMode.SINGLE;
    }
}
