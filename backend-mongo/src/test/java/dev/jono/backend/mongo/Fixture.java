package dev.jono.backend.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.jono.Capability;
import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** The setups of the three backends. */
final class Fixture {
    private static final Set<Capability> CAPABILITIES = MongoBackendProvider.CAPABILITIES;

    private Fixture() {}

    static ContractSetup mongo() {
        return ContractSetups.onReplicaSet("mongo", "", CAPABILITIES).build();
    }

    static ContractSetup plMongo() {
        return ContractSetups.onReplicaSet("pl-mongo", "&jono.pipeline=test", PlMongoBackendProvider.CAPABILITIES)
                .idInOneQueue()
                .build();
    }

    /** Queues keep history only with an option of their own. */
    static ContractSetup psMongo() {
        return ContractSetups.onReplicaSet("ps-mongo", "&jono.ttl=0s", new PsMongoBackendProvider().capabilities())
                .build();
    }

    /** A database on any server, with signals and stats in databases of their own. The test drops none of them. */
    static ContractSetup mongo(String uri) {
        return ContractSetups.on(uri, "mongo", "jono.one-database=false", CAPABILITIES)
                .build();
    }

    /** As {@link #mongo(String)}. */
    static ContractSetup plMongo(String uri) {
        return ContractSetups.on(uri, "pl-mongo", "jono.pipeline=test", PlMongoBackendProvider.CAPABILITIES)
                .idInOneQueue()
                .build();
    }

    /** As {@link #mongo(String)}. */
    static ContractSetup psMongo(String uri) {
        return ContractSetups.on(uri, "ps-mongo", "jono.ttl=0s", new PsMongoBackendProvider().capabilities())
                .build();
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

    /** Removes fields from all messages of a queue. */
    static void unset(String uri, String queue, String... fields) {
        try (MongoClient client = MongoClients.create(uri)) {
            client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                    .getCollection(queue)
                    .updateMany(
                            Filters.empty(),
                            Updates.combine(
                                    Stream.of(fields).map(Updates::unset).toList()));
        }
    }

    /** Makes all leases of a keyed queue expire now. */
    static void expireKeyed(MongoCollection<BsonDocument> collection) {
        BsonDateTime past = new BsonDateTime(1);
        collection.updateMany(
                Filters.exists("lease"), Updates.combine(Updates.set("at", past), Updates.set("lease", past)));
    }
}
