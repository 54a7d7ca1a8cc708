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
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The capped collection. */
final class Channel {
    /** keuss's: with another size, or a maximum of documents, its processes fail on MongoDB 7. */
    private static final long BYTES = 5_242_880;

    private static final long LONGEST_AWAIT_MILLIS = 1_000;
    /** So many old signals are read at most before the new ones. */
    private static final int BACK = 100;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    /** keuss's, for the same purpose. */
    private static final BsonDocument NOTHING = new BsonDocument("dummy", BsonBoolean.TRUE);

    private final String name;
    private final MongoDatabase database;
    private final MongoCollection<RawBsonDocument> collection;
    /** Shorter than a command may take: else the wait itself would be taken for a server that has gone silent. */
    private final long awaitMillis;

    Channel(MongoLink link) {
        this.awaitMillis = Math.max(
                1, Math.min(LONGEST_AWAIT_MILLIS, link.options().timeout().toMillis() / 2));
        this.name = link.signals();
        this.database = link.database(MongoLink.Suffix.SIGNAL);
        // A signal is a hint: it need not outlive its server.
        this.collection = database.getCollection(name, RawBsonDocument.class).withWriteConcern(WriteConcern.W1);
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

    /** Reads what comes in from now on. */
    Tail tail() {
        RawBsonDocument last = last();
        if (last == null) {
            // A tailable cursor ends at once on an empty collection.
            publish(NOTHING);
            last = last();
        }
        long count = collection.countDocuments();
        MongoCursor<RawBsonDocument> cursor = collection
                .find()
                .cursorType(CursorType.TailableAwait)
                .maxAwaitTime(awaitMillis, TimeUnit.MILLISECONDS)
                .skip((int) Math.max(0, count - BACK))
                .cursor();
        return new Tail(cursor, last == null ? null : last.get("_id"));
    }

    /** By position and not by id: ids of clients whose clock is wrong do not sort. */
    private @Nullable RawBsonDocument last() {
        return collection
                .find()
                .sort(new BsonDocument("$natural", new BsonInt32(-1)))
                .first();
    }

    /** A cursor at the end of the collection. */
    static final class Tail implements AutoCloseable {
        private final MongoCursor<RawBsonDocument> cursor;
        private final @Nullable BsonValue last;
        private boolean old = true;
        /** So many may be old; the last of them may have been rolled over. */
        private int back = BACK;

        private Tail(MongoCursor<RawBsonDocument> cursor, @Nullable BsonValue last) {
            this.cursor = cursor;
            this.last = last;
        }

        /** Whether the server has ended it. */
        boolean dead() {
            return cursor.getServerCursor() == null;
        }

        /** Waits for about a second; null if nothing new came. */
        @Nullable RawBsonDocument next() {
            RawBsonDocument next = cursor.tryNext();
            while (old && next != null) {
                old = !next.get("_id", BsonBoolean.FALSE).equals(last) && --back > 0;
                next = cursor.tryNext();
            }
            old = false;
            return next;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
