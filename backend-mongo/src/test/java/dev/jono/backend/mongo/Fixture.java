package dev.jono.backend.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.jono.Capability;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.BsonDateTime;
import org.jspecify.annotations.Nullable;

/** Databases, URLs and clients for tests. */
final class Fixture {
    private static @Nullable MongoClient replicaSet;
    private static @Nullable MongoClient standalone;

    private Fixture() {}

    private static final ExecutorService DRIVERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-driver");
        thread.setDaemon(true);
        return thread;
    });

    /** The configuration of a plugin without a factory. */
    static PluginConfig.Builder config(String url, String namespace) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse(url))
                .namespace(namespace)
                .executor(DRIVERS);
    }

    /** A name that no other test uses. */
    static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /** A client of the shared replica set. */
    static synchronized MongoClient client() {
        MongoClient known = replicaSet;
        if (known == null) {
            known = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
            replicaSet = known;
        }
        return known;
    }

    private static synchronized MongoClient standaloneClient() {
        MongoClient known = standalone;
        if (known == null) {
            known = MongoClients.create(MongoServer.sharedUri("admin"));
            standalone = known;
        }
        return known;
    }

    /** A new database on the shared replica set. */
    static ContractSetup shared(String type, String options, Set<Capability> capabilities) {
        String database = database();
        return setup(
                type,
                MongoReplicaSet.sharedUri(database),
                "jono.one-database=true" + options,
                capabilities,
                () -> client().getDatabase(database).drop());
    }

    /** A new database on the shared standalone server. */
    static ContractSetup standalone(String type, String options, Set<Capability> capabilities) {
        String database = database();
        return setup(
                type,
                MongoServer.sharedUri(database),
                "jono.one-database=true" + options,
                capabilities,
                () -> standaloneClient().getDatabase(database).drop());
    }

    /** A database on any server, with signals and stats in databases of their own. The test drops none of them. */
    static ContractSetup mongo(String uri) {
        return setup("mongo", uri, "jono.one-database=false", MongoBackendProvider.CAPABILITIES, () -> {});
    }

    /** As {@link #mongo(String)}. */
    static ContractSetup plMongo(String uri) {
        return setup("pl-mongo", uri, "jono.pipeline=test", MongoBackendProvider.CAPABILITIES, () -> {});
    }

    /** As {@link #mongo(String)}. */
    static ContractSetup psMongo(String uri) {
        return setup("ps-mongo", uri, "jono.ttl=0s", EnumSet.allOf(Capability.class), () -> {});
    }

    private static ContractSetup setup(
            String type, String uri, String options, Set<Capability> capabilities, Runnable onClose) {
        String url = url(type, uri, options);
        ContractSetup.Builder builder = ContractSetup.builder(url)
                .declares(capabilities)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url)
                .onClose(onClose);
        return (type.equals("pl-mongo") ? builder.idInOneQueue() : builder).build();
    }

    static String url(String type, String uri, String options) {
        return type + ":" + uri + (uri.contains("?") ? "&" : "?") + options;
    }

    static ContractSetup mongo() {
        return shared("mongo", "", MongoBackendProvider.CAPABILITIES);
    }

    static ContractSetup plMongo() {
        return shared("pl-mongo", "&jono.pipeline=test", MongoBackendProvider.CAPABILITIES);
    }

    /** Queues keep history only with an option of their own. */
    static ContractSetup psMongo() {
        return shared("ps-mongo", "&jono.ttl=0s", EnumSet.allOf(Capability.class));
    }

    static Set<Capability> without(Set<Capability> all, Capability... some) {
        Set<Capability> rest = EnumSet.copyOf(all);
        Set.of(some).forEach(rest::remove);
        return rest;
    }

    /** Makes all leases of a queue expire now. */
    static void expire(String uri, String queue) {
        try (MongoClient client = MongoClients.create(uri)) {
            BsonDateTime past = new BsonDateTime(1);
            client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                    .getCollection(queue)
                    .updateMany(Filters.exists("reserved"), Updates.set("mature", past));
        }
    }
}
