package dev.jono.e2e.mongo;

import dev.jono.e2e.faults.CutLink;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Fresh places for tests. */
final class Urls {
    private Urls() {}

    /** A database that nobody uses. */
    static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A database behind a proxy; found through its replica set it would be reached without. */
    static String through(TcpProxy proxy, String database) {
        return "mongodb://127.0.0.1:" + proxy.port() + "/" + database + "?directConnection=true";
    }

    /**
     * A backend on a database of its own, behind a proxy and beside it.
     *
     * @param sure the URI of a database, not through the proxy
     * @param options of the driver, each behind an ampersand, for the client behind the proxy
     */
    static CutLink cut(String backend, MongoServer server, UnaryOperator<String> sure, String options) {
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        String database = database();
        return CutLink.open(proxy, of(backend, through(proxy, database) + options), of(backend, sure.apply(database)));
    }

    /**
     * A backend's queues at a URI of MongoDB's, with signals and stats in the same database.
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
