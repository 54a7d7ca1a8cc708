package dev.jono.backend.bucketmongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Servers, databases and backends for tests. */
final class Fixture {
    private static @Nullable MongoClient replicaSet;
    private static @Nullable MongoClient standalone;

    private Fixture() {}

    private static final ExecutorService DRIVERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-driver");
        thread.setDaemon(true);
        return thread;
    });

    /** The configuration of a plugin without an engine. */
    static PluginConfig.Builder config(String url, String namespace) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse(url))
                .namespace(namespace)
                .executor(DRIVERS);
    }

    /** A backend without an engine. */
    static Backend open(PluginConfig config) {
        return new BucketMongoSafeBackendProvider().open(config);
    }

    /** Its queue {@code orders}. */
    static QueueStore orders(Backend backend) {
        return backend.queue(QueueSpec.builder().name("orders").build());
    }

    /** A client with a listener for its commands. */
    static MongoClient client(String uri, CommandListener listener) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(listener)
                .build());
    }

    /** A backend that uses the test's client. */
    static Backend over(MongoClient client, String database) {
        return open(config("bucket-mongo-safe:", "N")
                .storage(MongoStorage.of(client, database))
                .build());
    }

    /** A new database name. */
    static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A client of the replica set that all tests share. */
    static synchronized MongoClient client() {
        MongoClient known = replicaSet;
        if (known == null) {
            known = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
            replicaSet = known;
        }
        return known;
    }

    static synchronized MongoClient standaloneClient() {
        MongoClient known = standalone;
        if (known == null) {
            known = MongoClients.create(MongoServer.sharedUri("admin"));
            standalone = known;
        }
        return known;
    }

    /** Ends the first lease of every bucket. */
    static void expire(MongoCollection<BsonDocument> buckets) {
        BsonDateTime past = new BsonDateTime(0);
        buckets.updateMany(
                new BsonDocument(Fields.HELD, new BsonDocument("$exists", BsonBoolean.TRUE)),
                Updates.combine(
                        Updates.set(Fields.HELD + ".0.end", past),
                        Updates.set(Fields.MATURE, past),
                        Updates.set(Fields.LEASE, past)));
    }

    /** A database of its own on the replica set. */
    static ContractSetup shared(String type, Set<Capability> capabilities) {
        String database = database();
        return setup(
                type,
                MongoReplicaSet.sharedUri(database),
                "jono.one-database=true",
                capabilities,
                () -> client().getDatabase(database).drop());
    }

    /** A database of its own on the standalone server. */
    static ContractSetup standalone(String type, Set<Capability> capabilities) {
        String database = database();
        return setup(
                type,
                MongoServer.sharedUri(database),
                "jono.one-database=true",
                capabilities,
                () -> standaloneClient().getDatabase(database).drop());
    }

    /** A database that is not dropped, on any server, with signals and stats in databases of their own. */
    static ContractSetup safe(String uri) {
        return setup("bucket-mongo-safe", uri, "jono.one-database=false", Profile.SAFE.capabilities(), () -> {});
    }

    /** As {@link #safe(String)}. */
    static ContractSetup plain(String uri) {
        return setup("bucket-mongo", uri, "jono.one-database=false", Profile.PLAIN.capabilities(), () -> {});
    }

    private static ContractSetup setup(
            String type, String uri, String options, Set<Capability> capabilities, Runnable onClose) {
        String url = url(type, uri, options);
        return ContractSetup.builder(url)
                .declares(capabilities)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url)
                .onClose(onClose)
                .build();
    }

    static String url(String type, String uri, String options) {
        return type + ":" + uri + (uri.contains("?") ? "&" : "?") + options;
    }

    static ContractSetup safe() {
        return shared("bucket-mongo-safe", Profile.SAFE.capabilities());
    }

    static ContractSetup plain() {
        return shared("bucket-mongo", Profile.PLAIN.capabilities());
    }

    static Set<Capability> without(Set<Capability> all, Capability... some) {
        UnaryOperator<Set<Capability>> copy = EnumSet::copyOf;
        Set<Capability> rest = copy.apply(all);
        Set.of(some).forEach(rest::remove);
        return rest;
    }
}
