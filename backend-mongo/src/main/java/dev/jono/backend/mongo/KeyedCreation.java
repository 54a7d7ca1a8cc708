package dev.jono.backend.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.ValidationOptions;
import dev.jono.spi.DeleteRequest;
import dev.jono.support.mongo.MongoErrors;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Makes an empty queue keyed. It prepares a collection that refuses documents without the setting, and gives it the
 * name of the queue in one step. So no process ever stores a message without its key in a keyed queue. Blocks the
 * calling thread.
 */
final class KeyedCreation {
    /** Follows the name of the queue in the name of the collection that is prepared. */
    private static final String PREPARED = "~keyed~";

    /** MongoDB allows 255 bytes for the names of database and collection together. */
    private static final int MAX_NAME = 150;

    private static final int ATTEMPTS = 5;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final QueueCollection plain;
    private final int maxPerKey;

    /** @param plain the queue with the layout of one that is not keyed */
    KeyedCreation(QueueCollection plain, int maxPerKey) {
        this.plain = plain;
        this.maxPerKey = maxPerKey;
    }

    /**
     * Makes the queue keyed, unless it is.
     *
     * @return false if it holds messages and is not keyed
     */
    boolean create() {
        return plain.link.call("making the queue keyed", plain.queueName, false, () -> {
            MongoCollection<RawBsonDocument> prepared = prepare();
            try {
                boolean possible = true;
                for (int attempt = 1; possible && !isKeyed() && !rename(prepared) && attempt < ATTEMPTS; attempt++) {
                    possible = removeEmpty();
                }
                return possible;
            } finally {
                plain.keySetting().forget();
                prepared.drop(); // does nothing if it has the name of the queue now
            }
        });
    }

    private MongoCollection<RawBsonDocument> prepare() {
        byte[] random = new byte[6];
        RANDOM.nextBytes(random);
        String queue = plain.layout.collection();
        String name = (queue.length() > MAX_NAME ? queue.substring(0, MAX_NAME) : queue)
                + PREPARED
                + HexFormat.of().formatHex(random);
        plain.link
                .database()
                .createCollection(
                        name,
                        new CreateCollectionOptions()
                                .validationOptions(new ValidationOptions()
                                        .validator(Fields.doc(Fields.KEYED, new BsonInt32(maxPerKey)))));
        MongoCollection<RawBsonDocument> prepared = plain.link.collection(name);
        plain.keyed(maxPerKey).createIndexesOf(prepared);
        prepared.insertOne(new RawBsonDocument(KeyDocuments.queue(maxPerKey), new BsonDocumentCodec()));
        return prepared;
    }

    private boolean isKeyed() {
        return plain.keySetting().changedFrom(0, plain, true);
    }

    /** Gives the prepared collection the name of the queue; false if another collection has it. */
    private boolean rename(MongoCollection<RawBsonDocument> prepared) {
        try {
            String database = prepared.getNamespace().getDatabaseName();
            prepared.renameCollection(new MongoNamespace(database, plain.layout.collection()));
            return true;
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() != MongoErrors.NAMESPACE_EXISTS) {
                throw refused;
            }
            return false;
        }
    }

    /**
     * Removes the collection of a queue that is not keyed and holds no messages, with its history. False if the queue holds messages and
     * is not keyed.
     */
    private boolean removeEmpty() {
        DeleteRequest ifEmpty = DeleteRequest.builder().build();
        boolean removed = new Deletions(plain, /* sharedCollection= */ false)
                .delete(ifEmpty, null)
                .deleted();
        return removed || isKeyed();
    }
}
