package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import dev.jono.QueueFactory;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import org.bson.BsonDocument;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database for one test, on the replica set that all tests share; dropped after the test. */
final class OwnDatabase implements AfterEachCallback {
    private final String name = Fixture.database();

    String name() {
        return name;
    }

    /** The URL of {@code bucket-mongo-safe} on it. */
    String url() {
        return Fixture.url("bucket-mongo-safe", MongoReplicaSet.sharedUri(name), "jono.one-database=true");
    }

    QueueFactory connect() {
        return QueueFactory.connect(url());
    }

    RawBackend open() {
        return RawBackend.open(url());
    }

    /** The buckets of the queue {@code orders}. */
    MongoCollection<BsonDocument> orders() {
        return Fixture.client().getDatabase(name).getCollection("orders", BsonDocument.class);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        Fixture.client().getDatabase(name).drop();
    }
}
