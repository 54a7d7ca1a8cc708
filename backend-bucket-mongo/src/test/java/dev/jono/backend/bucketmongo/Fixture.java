package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.PluginConfigs;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** Backends for tests. */
final class Fixture {
    private Fixture() {}

    /** A backend without an engine. */
    static Backend open(PluginConfig config) {
        return new BucketMongoSafeBackendProvider().open(config);
    }

    /** Its queue {@code orders}. */
    static QueueStore orders(Backend backend) {
        return backend.queue(QueueSpec.builder().name("orders").build());
    }

    /** A backend that uses the test's client. */
    static Backend over(MongoClient client, String database) {
        return open(PluginConfigs.builder("bucket-mongo-safe:")
                .storage(MongoStorage.of(client, database))
                .build());
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

    static ContractSetup safe() {
        return ContractSetups.onReplicaSet("bucket-mongo-safe", "", Profile.SAFE.capabilities())
                .build();
    }

    static ContractSetup plain() {
        return ContractSetups.onReplicaSet("bucket-mongo", "", Profile.PLAIN.capabilities())
                .build();
    }

    /** A database that is not dropped, on any server, with signals and stats in databases of their own. */
    static ContractSetup safe(String uri) {
        return ContractSetups.on(uri, "bucket-mongo-safe", "jono.one-database=false", Profile.SAFE.capabilities())
                .build();
    }

    /** As {@link #safe(String)}. */
    static ContractSetup plain(String uri) {
        return ContractSetups.on(uri, "bucket-mongo", "jono.one-database=false", Profile.PLAIN.capabilities())
                .build();
    }
}
