package dev.jono.signal.mongocapped;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import dev.jono.StorageException;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The capped collection of signals. Publishers and the reader call it; calls block the calling thread. Thread-safe. */
final class Channel {
    /** The size of keuss. With another size or a maximum of documents, processes of keuss fail on MongoDB 7. */
    private static final long BYTES = 5_242_880;

    private static final long AWAIT_MILLIS = 1_000;
    /**
     * A reader starts this many documents before the end, because documents at the beginning may disappear meanwhile.
     */
    private static final int START_BEFORE_END = 100;

    private static final int ATTEMPTS = 5;
    /** {@code CollectionUUIDMismatch}: the collection was replaced or dropped. */
    private static final int OTHER_COLLECTION = 361;
    /** The server does not know a field of the command, or does not accept it from this client. */
    private static final Set<Integer> UNKNOWN_FIELD = Set.of(9, 72, 323, 40415);

    private static final int CONFLICTING_OPERATION = 117;
    /** Another process has created, dropped or converted the collection, or is doing it now. */
    private static final Set<Integer> DONE_BY_OTHERS =
            Set.of(MongoErrors.NAMESPACE_EXISTS, MongoErrors.NAMESPACE_NOT_FOUND, CONFLICTING_OPERATION);

    /** A document that is no signal; keuss uses the same. */
    private static final BsonDocument DUMMY = new BsonDocument("dummy", BsonBoolean.TRUE);

    private final String name;
    private final MongoDatabase database;
    private final MongoCollection<RawBsonDocument> collection;
    /** With a timeout of its own: with the client's timeout, a wait for signals might look like a silent server. */
    private final MongoCollection<RawBsonDocument> awaited;

    /** The UUID of the collection that was found last; null before. */
    private volatile @Nullable BsonValue uuid;
    /** Whether the server accepts the UUID in an insert. */
    private volatile boolean uuidAccepted = true;

    Channel(MongoLink link) {
        this.name = link.signals();
        this.database = link.database(MongoLink.Suffix.SIGNAL);
        this.collection = database.getCollection(name, RawBsonDocument.class);
        long limitMillis = AWAIT_MILLIS + link.options().timeout().toMillis();
        this.awaited = collection.withTimeout(Math.min(limitMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
    }

    /**
     * Makes sure that the collection exists and is capped. An ordinary collection that holds only signals is converted;
     * an insert creates such a collection after the capped one was dropped.
     *
     * @throws StorageException if it cannot be created or converted
     */
    void create() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            BsonDocument found = database.listCollections(BsonDocument.class)
                    .filter(new BsonDocument("name", new BsonString(name)))
                    .first();
            if (found != null && found.getDocument("options").containsKey("capped")) {
                uuid = found.getDocument("info").get("uuid");
                return;
            }
            if (found == null) {
                change(() -> database.createCollection(
                        name, new CreateCollectionOptions().capped(true).sizeInBytes(BYTES)));
            } else {
                requireOnlySignals();
                change(() -> database.runCommand(new BsonDocument("convertToCapped", new BsonString(name))
                        .append("size", new BsonInt64(BYTES))));
            }
        }
        throw new StorageException(
                "the capped collection " + collection.getNamespace()
                        + " for signals was dropped or replaced each time it was created",
                null,
                null,
                null);
    }

    private static final String ADVICE = "if MongoDB has no capped collections, or creating them is not allowed, choose"
            + " another signaller, such as 'redis-pubsub:redis://host' (or 'local:'; then other processes wake at their poll interval)";

    /** Ignores a refusal because another process did the same; the caller checks the result. */
    private void change(Runnable command) {
        try {
            command.run();
        } catch (MongoCommandException refused) {
            if (!DONE_BY_OTHERS.contains(refused.getErrorCode())) {
                throw new StorageException(
                        "the capped collection " + collection.getNamespace() + " for signals cannot be created: "
                                + refused.getErrorMessage() + "; " + ADVICE,
                        null,
                        null,
                        refused);
            }
        }
    }

    private void requireOnlySignals() {
        BsonDocument other = new BsonDocument("event", new BsonDocument("$not", SignalMessage.EVENT))
                .append("dummy", new BsonDocument("$ne", BsonBoolean.TRUE));
        if (collection.find(other).first() != null) {
            throw new StorageException(
                    "the collection " + collection.getNamespace()
                            + " is not capped and holds other data, so it cannot carry signals; " + ADVICE,
                    null,
                    null,
                    null);
        }
    }

    void publish(BsonDocument message) {
        insert(database, message);
    }

    /**
     * Wakes waiting readers by a document that they ignore.
     *
     * @param timeoutMillis the timeout of the insert
     */
    void wakeReaders(long timeoutMillis) {
        insert(database.withTimeout(timeoutMillis, TimeUnit.MILLISECONDS), DUMMY);
    }

    /**
     * Inserts into the collection that was found, not into another one of its name: the insert of the driver would
     * create an ordinary collection if there is none. Servers before MongoDB 6.0 do not check the UUID; there the next
     * reader converts the ordinary collection.
     */
    private void insert(MongoDatabase within, BsonDocument message) {
        if (uuid == null) {
            create();
        }
        BsonDocument insert = new BsonDocument("insert", new BsonString(name))
                .append("documents", new BsonArray(List.of(message)))
                // A signal is only a hint and may be lost with its server.
                .append("writeConcern", new BsonDocument("w", new BsonInt32(1)));
        try {
            send(within, insert);
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() == OTHER_COLLECTION) {
                create();
            } else if (UNKNOWN_FIELD.contains(refused.getErrorCode())) {
                uuidAccepted = false;
            } else {
                throw refused;
            }
            send(within, insert);
        }
    }

    private void send(MongoDatabase within, BsonDocument insert) {
        BsonValue found = uuid;
        BsonDocument command = insert.clone();
        if (uuidAccepted && found != null) {
            command.put("collectionUUID", found);
        }
        BsonDocument answer = within.runCommand(command, BsonDocument.class);
        BsonValue errors = answer.get("writeErrors");
        if (errors != null) {
            BsonDocument first = errors.asArray().get(0).asDocument();
            throw new MongoCommandException(
                    first.append("ok", new BsonInt32(0)), new ServerAddress()); // as if the whole command were refused
        }
    }

    /**
     * Opens a cursor for signals from now on. It starts at a position, not at an id, because ids of clients with wrong
     * clocks are not in order. Some signals from before this method returned may be read as new ones.
     */
    Tail tail() {
        while (true) {
            long count = collection.countDocuments();
            if (count == 0) {
                // A tailable cursor ends at once on an empty collection.
                publish(DUMMY);
            }
            MongoCursor<RawBsonDocument> cursor = awaited.find()
                    .cursorType(CursorType.TailableAwait)
                    .maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS)
                    .skip((int) Math.max(0, count - START_BEFORE_END))
                    .cursor();
            if (cursor.available() > 0) {
                return new Tail(cursor);
            }
            // Documents were overwritten since the count, so this cursor would skip new signals.
            cursor.close();
        }
    }

    /** A cursor at the end of the collection. Used by the reader's thread. */
    static final class Tail implements AutoCloseable {
        private final MongoCursor<RawBsonDocument> cursor;

        private Tail(MongoCursor<RawBsonDocument> cursor) {
            this.cursor = cursor;
            while (cursor.available() > 0) {
                cursor.next(); // an old signal
            }
        }

        /** Whether the server has closed the cursor. */
        boolean ended() {
            return cursor.getServerCursor() == null;
        }

        /** Waits for about a second; null if no document came. */
        @Nullable RawBsonDocument next() {
            return cursor.tryNext();
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
