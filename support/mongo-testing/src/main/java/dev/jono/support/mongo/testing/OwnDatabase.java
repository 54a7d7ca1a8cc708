package dev.jono.support.mongo.testing;

import com.mongodb.client.MongoCollection;
import dev.jono.QueueFactory;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import org.bson.BsonDocument;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database for one test, on the replica set that all tests share. It is dropped after the test. */
public final class OwnDatabase implements AfterEachCallback {
    private final String name = TestDatabases.newName();
    private final String type;

    /** @param type the type of the backend, unless a method names another one */
    public OwnDatabase(String type) {
        this.type = type;
    }

    /** The URL of the backend. Signals and stats are in the same database. */
    public String url() {
        return url(type, "");
    }

    /**
     * The URL of a backend of any type. Signals and stats are in the same database.
     *
     * @param options more options, each after a {@code &}
     */
    public String url(String backend, String options) {
        return TestDatabases.url(backend, MongoReplicaSet.sharedUri(name), "jono.one-database=true" + options);
    }

    /** A factory of the backend. */
    public QueueFactory connect() {
        return QueueFactory.connect(url());
    }

    /** The backend without the engine. */
    public RawBackend open() {
        return RawBackend.open(url());
    }

    /** A collection of the database. */
    public MongoCollection<BsonDocument> collection(String collection) {
        return TestDatabases.client().getDatabase(name).getCollection(collection, BsonDocument.class);
    }

    /** The collection of the queue {@code orders}. */
    public MongoCollection<BsonDocument> orders() {
        return collection("orders");
    }

    @Override
    public void afterEach(ExtensionContext test) {
        TestDatabases.client().getDatabase(name).drop();
    }
}
