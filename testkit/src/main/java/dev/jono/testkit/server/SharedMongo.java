package dev.jono.testkit.server;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The MongoDB servers that the tests of this JVM share. */
final class SharedMongo {
    private static final Object LOCK = new Object();
    private static @Nullable UnaryOperator<String> replicaSet;
    private static @Nullable UnaryOperator<String> standalone;

    private SharedMongo() {}

    static String replicaSet(String database) {
        synchronized (LOCK) {
            UnaryOperator<String> uri = replicaSet;
            if (uri == null) {
                String named = System.getenv("JONO_TEST_MONGO");
                uri = named != null && !named.isEmpty() ? name -> in(named, name) : MongoReplicaSet.start(1)::uri;
                replicaSet = uri;
            }
            return uri.apply(database);
        }
    }

    static String standalone(String database) {
        synchronized (LOCK) {
            UnaryOperator<String> uri = standalone;
            if (uri == null) {
                String named = System.getenv("JONO_TEST_MONGO_STANDALONE");
                uri = named != null && !named.isEmpty() ? name -> in(named, name) : MongoServer.start()::uri;
                standalone = uri;
            }
            return uri.apply(database);
        }
    }

    /** The URI with this database in place of its own. */
    static String in(String uri, String database) {
        int question = uri.indexOf('?');
        String location = question < 0 ? uri : uri.substring(0, question);
        String options = question < 0 ? "" : uri.substring(question);
        int slash = location.indexOf('/', location.indexOf("//") + 2);
        return (slash < 0 ? location : location.substring(0, slash)) + "/" + database + options;
    }
}
