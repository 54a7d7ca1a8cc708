package dev.jono.e2e.mongo;

import dev.jono.e2e.faults.CutLink;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** New databases for tests. */
final class Urls {
    private Urls() {}

    /** The name of a new database. */
    static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A database behind a proxy. Without the replica set's name, or the driver would bypass the proxy. */
    static String through(TcpProxy proxy, String database) {
        return "mongodb://127.0.0.1:" + proxy.port() + "/" + database + "?directConnection=true";
    }

    /**
     * A backend on a new database, through a proxy and without it.
     *
     * @param sure the URI of the database without the proxy
     * @param options of the driver, each after an ampersand, for the client that uses the proxy
     */
    static CutLink cut(String backend, MongoServer server, UnaryOperator<String> sure, String options) {
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        String database = database();
        return CutLink.open(proxy, of(backend, through(proxy, database) + options), of(backend, sure.apply(database)));
    }

    /**
     * The URL of a backend at a URI of MongoDB, with signals and stats in the same database.
     *
     * @param options more of Jono's, {@code name=value}
     */
    static String of(String backend, String uri, String... options) {
        StringBuilder url = new StringBuilder(backend)
                .append(':')
                .append(uri)
                .append(uri.contains("?") ? '&' : '?')
                .append("jono.one-database=true");
        for (String option : options) {
            url.append('&').append(option);
        }
        return url.toString();
    }
}
