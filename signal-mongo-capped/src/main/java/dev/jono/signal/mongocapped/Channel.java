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

/** The capped collection. */
final class Channel {
    /** keuss's: with another size, or a maximum of documents, its processes fail on MongoDB 7. */
    private static final long BYTES = 5_242_880;

    private static final long AWAIT_MILLIS = 1_000;
    /** So far before its end the channel is entered, for it may lose more at its beginning than it gains meanwhile. */
    private static final int BACK = 100;

    private static final int ATTEMPTS = 5;
    /** A collection of this name, but another one; or none. */
    private static final int OTHER_COLLECTION = 361;
    /** What a server says to a field that it does not know, or may not take of this client. */
    private static final Set<Integer> UNKNOWN_FIELD = Set.of(9, 72, 323, 40415);

    private static final int CONFLICTING_OPERATION = 117;
    /** Another process has created, dropped or converted it, or is about to. */
    private static final Set<Integer> OTHERS_FASTER =
            Set.of(MongoErrors.NAMESPACE_EXISTS, MongoErrors.NAMESPACE_NOT_FOUND, CONFLICTING_OPERATION);

    /** keuss's, for the same purpose. */
    private static final BsonDocument NOTHING = new BsonDocument("dummy", BsonBoolean.TRUE);

    private final String name;
    private final MongoDatabase database;
    private final MongoCollection<RawBsonDocument> collection;
    /** With a limit of its own: by the client's, the wait itself might be taken for a server that has gone silent. */
    private final MongoCollection<RawBsonDocument> awaited;

    /** The collection that was found last; null before. */
    private volatile @Nullable BsonValue uuid;
    /** Whether the server can be told by it which collection is meant. */
    private volatile boolean byUuid = true;

    Channel(MongoLink link) {
        this.name = link.signals();
        this.database = link.database(MongoLink.Suffix.SIGNAL);
        this.collection = database.getCollection(name, RawBsonDocument.class);
        long limitMillis = AWAIT_MILLIS + link.options().timeout().toMillis();
        this.awaited = collection.withTimeout(Math.min(limitMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
    }

    /**
     * Makes sure that it is there and capped: an ordinary collection of nothing but signals, as an insert makes it where the
     * capped one was dropped, becomes a capped one.
     *
     * @throws StorageException if there can be none
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
                requireSignalsAlone();
                change(() -> database.runCommand(new BsonDocument("convertToCapped", new BsonString(name))
                        .append("size", new BsonInt64(BYTES))));
            }
        }
        throw new StorageException(
                "the capped collection " + collection.getNamespace()
                        + " for signals was dropped or replaced each time that it was made",
                null,
                null,
                null);
    }

    private static final String OTHERS = "where MongoDB has no capped collections, or none may be made, choose another"
            + " signaller, such as 'redis-pubsub:redis://host' (or 'local:', and other processes wake at their poll interval)";

    /** Another process may do the same at the same time: what is there then counts. */
    private void change(Runnable command) {
        try {
            command.run();
        } catch (MongoCommandException refused) {
            if (!OTHERS_FASTER.contains(refused.getErrorCode())) {
                throw new StorageException(
                        "the capped collection " + collection.getNamespace() + " for signals cannot be created: "
                                + refused.getErrorMessage() + "; " + OTHERS,
                        null,
                        null,
                        refused);
            }
        }
    }

    private void requireSignalsAlone() {
        BsonDocument other = new BsonDocument("event", new BsonDocument("$not", SignalMessage.EVENT))
                .append("dummy", new BsonDocument("$ne", BsonBoolean.TRUE));
        if (collection.find(other).first() != null) {
            throw new StorageException(
                    "the collection " + collection.getNamespace()
                            + " is there, not capped, and holds other data, so it cannot carry signals; " + OTHERS,
                    null,
                    null,
                    null);
        }
    }

    void publish(BsonDocument message) {
        insert(database, message);
    }

    /**
     * Adds what is no signal, and is ignored by all who read.
     *
     * @param timeoutMillis how long it may take
     */
    void wakeReaders(long timeoutMillis) {
        insert(database.withTimeout(timeoutMillis, TimeUnit.MILLISECONDS), NOTHING);
    }

    /**
     * Into the collection that was found, and no other of its name: an insert of the driver's makes an ordinary collection
     * where there is none. Servers before MongoDB 6.0 cannot tell; there the next reader converts it to a capped one.
     */
    private void insert(MongoDatabase within, BsonDocument message) {
        if (uuid == null) {
            create();
        }
        BsonDocument insert = new BsonDocument("insert", new BsonString(name))
                .append("documents", new BsonArray(List.of(message)))
                // A signal is a hint: it need not outlive its server.
                .append("writeConcern", new BsonDocument("w", new BsonInt32(1)));
        try {
            send(within, insert);
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() == OTHER_COLLECTION) {
                create();
            } else if (UNKNOWN_FIELD.contains(refused.getErrorCode())) {
                byUuid = false;
            } else {
                throw refused;
            }
            send(within, insert);
        }
    }

    private void send(MongoDatabase within, BsonDocument insert) {
        BsonValue found = uuid;
        BsonDocument command = insert.clone();
        if (byUuid && found != null) {
            command.put("collectionUUID", found);
        }
        BsonDocument answer = within.runCommand(command, BsonDocument.class);
        BsonValue errors = answer.get("writeErrors");
        if (errors != null) {
            BsonDocument first = errors.asArray().get(0).asDocument();
            throw new MongoCommandException(
                    first.append("ok", new BsonInt32(0)), new ServerAddress()); // as where the whole command is refused
        }
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
        boolean ended() {
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
