package dev.jono.support.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.DeleteResult;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * Deletes the collection of one queue, but never a message that another process inserts meanwhile. MongoDB cannot drop
 * a collection only if it is empty. So an empty collection is renamed first, which is atomic; later inserts create the
 * queue again. No process writes to the renamed collection, so it can be checked again. If a message came in before the
 * renaming, it is put back, and the queue is not deleted. Blocks the calling thread.
 *
 * <p>A take that marks messages and then removes them may have marked a message before the renaming. Its removal finds
 * nothing while the collection has another name, and the take returns without the message. So the mark is undone before
 * the message is put back; otherwise nobody could get the message, or see it in the counts, until the mark expires.
 */
public final class CollectionDeletion {
    /** Follows the name of the queue in the name of a renamed collection. */
    static final String RENAMED = "~deleted~";

    /** MongoDB allows 255 bytes for the names of database and collection together. */
    private static final int MAX_NAME = 150;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final MongoLink link;
    private final MongoCollection<RawBsonDocument> collection;
    private final ToLongFunction<MongoCollection<RawBsonDocument>> messages;
    private final Consumer<MongoCollection<RawBsonDocument>> undoTakes;
    private final BsonDocument live;

    /**
     * Prepares the deletion of a collection.
     *
     * @param messages counts the messages in a collection, including reserved ones
     * @param undoTakes makes messages of a renamed collection due again that a take has marked and not removed, in a way
     *     that the take cannot remove them any more
     * @param live selects the documents that hold messages
     */
    public CollectionDeletion(
            MongoLink link,
            MongoCollection<RawBsonDocument> collection,
            ToLongFunction<MongoCollection<RawBsonDocument>> messages,
            Consumer<MongoCollection<RawBsonDocument>> undoTakes,
            BsonDocument live) {
        this.link = link;
        this.collection = collection;
        this.messages = messages;
        this.undoTakes = undoTakes;
        this.live = live;
    }

    /**
     * Deletes the collection.
     *
     * @param withMessages whether to delete it even if it holds messages
     */
    public DeleteResult delete(boolean withMessages) {
        long present = messages.applyAsLong(collection);
        if (withMessages) {
            collection.drop();
            return DeleteResult.deleted(present);
        }
        return present > 0 ? DeleteResult.refused(present) : deleteEmpty();
    }

    private DeleteResult deleteEmpty() {
        MongoNamespace name = collection.getNamespace();
        String newName = newName(name.getCollectionName());
        try {
            collection.renameCollection(new MongoNamespace(name.getDatabaseName(), newName));
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() == MongoErrors.NAMESPACE_NOT_FOUND) {
                return DeleteResult.deleted(0);
            }
            throw refused;
        }
        MongoCollection<RawBsonDocument> renamed = link.collection(newName);
        long late = messages.applyAsLong(renamed);
        if (late == 0) {
            renamed.drop();
            return DeleteResult.deleted(0);
        }
        try {
            undoTakes.accept(renamed);
        } finally {
            putBack(renamed, name); // if a mark cannot be undone, it expires
        }
        return DeleteResult.refused(late);
    }

    /**
     * Gives the collection its name again. If another process has created the queue since, the messages are added to
     * it.
     */
    private void putBack(MongoCollection<RawBsonDocument> renamed, MongoNamespace name) {
        try {
            renamed.renameCollection(name);
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() != MongoErrors.NAMESPACE_EXISTS) {
                throw refused;
            }
            BsonDocument back = new BsonDocument("into", new BsonString(name.getCollectionName()))
                    .append("whenMatched", new BsonString("keepExisting"));
            renamed.aggregate(List.of(new BsonDocument("$match", live), new BsonDocument("$merge", back)))
                    .toCollection();
            renamed.drop();
        }
    }

    private static String newName(String queue) {
        byte[] random = new byte[6];
        RANDOM.nextBytes(random);
        return (queue.length() > MAX_NAME ? queue.substring(0, MAX_NAME) : queue)
                + RENAMED
                + HexFormat.of().formatHex(random);
    }
}
