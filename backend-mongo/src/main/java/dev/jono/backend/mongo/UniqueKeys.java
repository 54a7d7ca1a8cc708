package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.InsertManyOptions;
import dev.jono.UniqueKey;
import dev.jono.spi.ForgetRequest;
import dev.jono.support.mongo.MongoLink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The message ids that were pushed under unique keys. One collection has those of all queues. The server's clock
 * decides whether a window has ended; MongoDB's TTL monitor deletes the document later. Blocks the calling thread;
 * thread-safe.
 */
final class UniqueKeys {
    /** In the {@code _id}: the queue of the key. */
    private static final String QUEUE = "q";
    /** In the {@code _id}: the scope of the key, if it has one; then there is no queue. */
    private static final String SCOPE = "s";
    /** In the {@code _id}: the key. */
    private static final String KEY = "k";
    /** The id of the message, as text. */
    private static final String MESSAGE = "id";
    /** The end of the window. */
    private static final String UNTIL = "until";
    /** The field in which a query returns whether the window has ended. */
    private static final String ENDED = "ended";

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private static final IndexModel EXPIRING = new IndexModel(
            new BsonDocument(UNTIL, new BsonInt32(1)),
            new IndexOptions().name("until_1").expireAfter(0L, TimeUnit.SECONDS));

    private final QueueCollection queue;
    private final MongoCollection<RawBsonDocument> documents;

    UniqueKeys(QueueCollection queue) {
        this.queue = queue;
        this.documents = queue.link.collection(MongoLink.UNIQUE_KEYS);
    }

    /** Creates the collection and its index, because a transaction must not wait for that. */
    void ensureIndexes() {
        queue.ensureIndexesOf("push", documents, List.of(EXPIRING));
    }

    /** The {@code _id} of a key. */
    BsonDocument id(@Nullable String scope, String key) {
        return (scope == null
                        ? new BsonDocument(QUEUE, new BsonString(queue.queueName))
                        : new BsonDocument(SCOPE, new BsonString(scope)))
                .append(KEY, new BsonString(key));
    }

    /** The keys of one transaction: which are remembered, and which it remembers. Used by one thread. */
    final class Session {
        private final ClientSession session;
        private final Map<BsonValue, String> messages = new HashMap<>();
        private final List<BsonValue> ended = new ArrayList<>();
        private final List<RawBsonDocument> added = new ArrayList<>();

        Session(ClientSession session) {
            this.session = session;
        }

        /** Reads which of these keys are remembered. Without it, {@link #write} fails if one of them is. */
        void read(Collection<BsonDocument> ids) {
            BsonDocument hasEnded = Fields.op("$lte", Fields.field(UNTIL), Fields.NOW);
            BsonDocument fields = Fields.doc(MESSAGE, Fields.ONE).append(ENDED, hasEnded);
            for (RawBsonDocument found : documents
                    .find(session, Fields.doc(Fields.ID, Fields.in(List.copyOf(ids))))
                    .projection(fields)
                    .batchSize(ids.size() + 1)) {
                if (found.getBoolean(ENDED).getValue()) {
                    ended.add(found.get(Fields.ID));
                } else {
                    messages.put(found.get(Fields.ID), found.getString(MESSAGE).getValue());
                }
            }
        }

        /**
         * Remembers a key, unless it is remembered. Returns the id that it was remembered with before; null for none.
         */
        @Nullable String remember(UniqueKey unique, String message, long nowMillis) {
            BsonDocument id = id(unique.scope(), unique.key());
            String first = messages.putIfAbsent(id, message);
            if (first == null) {
                BsonDocument document = Fields.doc(Fields.ID, id)
                        .append(MESSAGE, new BsonString(message))
                        .append(UNTIL, Fields.date(nowMillis + unique.window().toMillis()));
                added.add(new RawBsonDocument(document, DOCUMENTS));
            }
            return first;
        }

        /** Stores the remembered keys. */
        void write() {
            if (!ended.isEmpty()) {
                documents.deleteMany(session, Fields.doc(Fields.ID, Fields.in(ended)));
            }
            if (!added.isEmpty()) {
                documents.insertMany(session, added, new InsertManyOptions());
            }
        }
    }

    /** Ends the window of a key, if it belongs to a message. */
    boolean forget(ForgetRequest request) {
        return queue.link.call("forget", queue.queueName, true, () -> {
            BsonDocument filter = Fields.doc(Fields.ID, id(request.scope(), request.key()))
                    .append(MESSAGE, new BsonString(request.id()));
            return documents.deleteOne(filter).getDeletedCount() == 1;
        });
    }

    /** Removes the keys of the queue, which is deleted. */
    void removeAll() {
        BsonDocument first = new BsonDocument(QUEUE, new BsonString(queue.queueName));
        BsonDocument last = first.clone().append(KEY, new BsonMaxKey());
        documents.deleteMany(Fields.doc(Fields.ID, Fields.doc("$gte", first).append("$lte", last)));
    }
}
