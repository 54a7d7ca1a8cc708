package dev.jono.support.postgres;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.DriverUri;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The location in a URL: {@code jdbc:postgresql://HOST:PORT/DATABASE?OPTIONS}, as for the JDBC driver, or the same without
 * {@code jdbc:}, as for {@code psql}. A user and password may stand before the host.
 */
final class PostgresLocation {
    private static final String FORM = "jdbc:postgresql://host:5432/database?user=name&password=secret";
    private static final String JDBC = "jdbc:";
    private static final String SCHEME = "postgresql";
    private static final int DEFAULT_PORT = 5432;

    /** Used unless the URL says otherwise: no call hangs for ever, and no error quotes the values of a row. */
    private static final Map<String, String> DEFAULTS = Map.of(
            PGProperty.APPLICATION_NAME.getName(), "jono",
            PGProperty.SOCKET_TIMEOUT.getName(), "60",
            PGProperty.TCP_KEEP_ALIVE.getName(), "true",
            PGProperty.LOG_SERVER_ERROR_DETAIL.getName(), "false");

    /** The names of the driver's options, by their names in lower case. */
    private static final Map<String, String> OPTIONS = options();

    private PostgresLocation() {}

    private static Map<String, String> options() {
        Map<String, String> names = new TreeMap<>();
        for (PGProperty property : PGProperty.values()) {
            names.put(property.getName().toLowerCase(Locale.ROOT), property.getName());
        }
        names.keySet().removeAll(Set.of("pgdbname", "pghost", "pgport"));
        return names;
    }

    /**
     * A source of new connections.
     *
     * @throws dev.jono.ConfigurationException if the location is malformed; the message does not show the password
     */
    static DataSource dataSource(ConnectionUrl url) {
        String location = url.location();
        if (location.startsWith(JDBC)) {
            location = location.substring(JDBC.length());
        } else if (location.startsWith("//")) {
            location = SCHEME + ":" + location;
        }
        DriverUri uri = DriverUri.parse(url, location, Set.of(SCHEME, "postgres"), FORM);
        uri.refuseFragment();
        uri.refuseUnknownOptions(OPTIONS.keySet(), "the JDBC driver");
        if (uri.hosts().isEmpty() || uri.path().length() < 2) {
            throw uri.wrong("it names no " + (uri.hosts().isEmpty() ? "host" : "database"));
        }
        return dataSource(uri);
    }

    private static DataSource dataSource(DriverUri uri) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        List<DriverUri.Host> hosts = uri.hosts();
        source.setServerNames(hosts.stream().map(PostgresLocation::name).toArray(String[]::new));
        source.setPortNumbers(
                hosts.stream().mapToInt(host -> host.portOr(DEFAULT_PORT)).toArray());
        source.setDatabaseName(uri.path().substring(1));
        Map<String, String> properties = new TreeMap<>(DEFAULTS);
        uri.options().forEach((name, value) -> properties.put(properName(name), value));
        String userInfo = uri.userInfo();
        if (userInfo != null) {
            int colon = userInfo.indexOf(':');
            if (properties.containsKey("user") || (colon >= 0 && properties.containsKey("password"))) {
                throw uri.wrong("it has a user or a password both before the host and as an option");
            }
            properties.put("user", DriverUri.decode(colon < 0 ? userInfo : userInfo.substring(0, colon)));
            if (colon >= 0) {
                properties.put("password", DriverUri.decode(userInfo.substring(colon + 1)));
            }
        }
        try {
            for (Map.Entry<String, String> property : properties.entrySet()) {
                source.setProperty(property.getKey(), property.getValue());
            }
        } catch (SQLException e) {
            throw uri.wrong("the JDBC driver refuses one of the options " + names(uri.options()));
        }
        return source;
    }

    private static String name(DriverUri.Host host) {
        return host.name().indexOf(':') < 0 ? host.name() : "[" + host.name() + "]";
    }

    private static String properName(String name) {
        return OPTIONS.getOrDefault(name.toLowerCase(Locale.ROOT), name);
    }

    private static String names(Map<String, String> options) {
        return options.keySet().stream().map(PostgresLocation::properName).collect(Collectors.joining(", "));
    }
}
