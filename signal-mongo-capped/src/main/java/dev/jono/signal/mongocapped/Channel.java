package dev.jono.signal.mongocapped;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import dev.jono.StorageException;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The capped collection. */
final class Channel {
    /** keuss's: with another size, or a maximum of documents, its processes fail on MongoDB 7. */
    private static final long BYTES = 5_242_880;

    private static final long AWAIT_MILLIS = 1_000;
    /** So far before its end the channel is entered, for it may lose more at its beginning than it gains meanwhile. */
    private static final int BACK = 100;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    /** keuss's, for the same purpose. */
    private static final BsonDocument NOTHING = new BsonDocument("dummy", BsonBoolean.TRUE);

    private final String name;
    private final MongoDatabase database;
    private final MongoCollection<RawBsonDocument> collection;
    /** With a limit of its own: by the client's, the wait itself might be taken for a server that has gone silent. */
    private final MongoCollection<RawBsonDocument> awaited;

    Channel(MongoLink link) {
        this.name = link.signals();
        this.database = link.database(MongoLink.Suffix.SIGNAL);
        // A signal is a hint: it need not outlive its server.
        this.collection = database.getCollection(name, RawBsonDocument.class).withWriteConcern(WriteConcern.W1);
        long limitMillis = AWAIT_MILLIS + link.options().timeout().toMillis();
        this.awaited = collection.withTimeout(Math.min(limitMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
    }

    /**
     * Creates it if it is not there.
     *
     * @throws StorageException if there can be none
     */
    void create() {
        try {
            database.createCollection(
                    name, new CreateCollectionOptions().capped(true).sizeInBytes(BYTES));
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() != MongoErrors.NAMESPACE_EXISTS) {
                throw new StorageException(
                        "the capped collection " + collection.getNamespace() + " for signals cannot be created: "
                                + refused.getErrorMessage() + "; " + OTHERS,
                        null,
                        null,
                        refused);
            }
            refuseOrdinary();
        }
    }

    private static final String OTHERS = "where MongoDB has no capped collections, or none may be made, choose another"
            + " signaller, such as 'redis-pubsub:redis://host' (or 'local:', and other processes wake at their poll interval)";

    private void refuseOrdinary() {
        BsonDocument found = database.listCollections(BsonDocument.class)
                .filter(new BsonDocument("name", new org.bson.BsonString(name)))
                .first();
        if (found != null && !found.getDocument("options").containsKey("capped")) {
            throw new StorageException(
                    "the collection " + collection.getNamespace()
                            + " is there and not capped, so it cannot carry signals; " + OTHERS,
                    null,
                    null,
                    null);
        }
    }

    void publish(BsonDocument message) {
        // As raw bytes: of any other class the driver would give it an id.
        collection.insertOne(new RawBsonDocument(message, DOCUMENTS));
    }

    /**
     * Adds what is no signal, and is ignored by all who read.
     *
     * @param timeoutMillis how long it may take
     */
    void nudge(long timeoutMillis) {
        collection.withTimeout(timeoutMillis, TimeUnit.MILLISECONDS).insertOne(new RawBsonDocument(NOTHING, DOCUMENTS));
    }

    /**
     * Reads what comes in from now on. By position and not by id: ids of clients whose clock is wrong do not sort. What was
     * there before this returned may be told as new, if it is little.
     */
    Tail tail() {
        while (true) {
            long count = collection.countDocuments();
            if (count == 0) {
                // A tailable cursor ends at once on an empty collection.
                publish(NOTHING);
            }
            MongoCursor<RawBsonDocument> cursor = awaited.find()
                    .cursorType(CursorType.TailableAwait)
                    .maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS)
                    .skip((int) Math.max(0, count - BACK))
                    .cursor();
            if (cursor.available() > 0) {
                return new Tail(cursor);
            }
            // The channel has rolled over since it was counted: this one would skip what is to come.
            cursor.close();
        }
    }

    /** A cursor at the end of the collection. */
    static final class Tail implements AutoCloseable {
        private final MongoCursor<RawBsonDocument> cursor;

        private Tail(MongoCursor<RawBsonDocument> cursor) {
            this.cursor = cursor;
            while (cursor.available() > 0) {
                cursor.next(); // was there before
            }
        }

        /** Whether the server has ended it. */
        boolean dead() {
            return cursor.getServerCursor() == null;
        }

        /** Waits for about a second; null if nothing new came. */
        @Nullable RawBsonDocument next() {
            return cursor.tryNext();
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
