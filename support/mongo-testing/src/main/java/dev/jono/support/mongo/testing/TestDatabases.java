package dev.jono.support.mongo.testing;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Names of databases, clients of the shared servers, and URLs. */
public final class TestDatabases {
    private static final SharedClient REPLICA_SET = new SharedClient(() -> MongoReplicaSet.sharedUri("admin"));
    private static final SharedClient STANDALONE = new SharedClient(() -> MongoServer.sharedUri("admin"));

    private TestDatabases() {}

    /** A name that no other test uses. */
    public static String newName() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A client of the replica set that all tests share; no test closes it. */
    public static MongoClient client() {
        return REPLICA_SET.get();
    }

    /** A client of the standalone server that all tests share; no test closes it. */
    public static MongoClient standaloneClient() {
        return STANDALONE.get();
    }

    /**
     * The URL of a plugin.
     *
     * @param type the type of the plugin, such as {@code mongo}
     * @param uri the URI of a database
     * @param options more options, such as {@code jono.timeout=3s}; joined by {@code &}
     */
    public static String url(String type, String uri, String options) {
        return type + ":" + withOptions(uri, options);
    }

    /** A URI with more options. */
    public static String withOptions(String uri, String options) {
        return uri + (uri.contains("?") ? "&" : "?") + options;
    }

    /** Connects at its first use. If the server cannot be had, each use skips its test. */
    private static final class SharedClient {
        private final Supplier<String> uri;
        private @Nullable MongoClient client;

        SharedClient(Supplier<String> uri) {
            this.uri = uri;
        }

        MongoClient get() {
            synchronized (this) {
                MongoClient known = client;
                if (known == null) {
                    known = MongoClients.create(uri.get());
                    client = known;
                }
                return known;
            }
        }
    }
}
