package dev.jono.support.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.DeleteResult;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * Deletes the collection of one queue, and no message that others insert meanwhile. MongoDB cannot drop a collection on the
 * condition that it is empty, so one that looks empty is first renamed, which is one step: what is inserted behind that makes
 * the queue anew. Then nobody writes to the renamed one any more, and it is looked at once more. A message that came in
 * between the first look and the renaming goes back, and the queue is not deleted. Blocks.
 */
public final class CollectionDeletion {
    /** Stands in the name of a collection that was renamed, behind that of the queue. */
    static final String RENAMED = "~deleted~";

    /** The namespace of a collection has 255 bytes at most, with the database's name. */
    private static final int MAX_NAME = 150;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final MongoLink link;
    private final MongoCollection<RawBsonDocument> collection;
    private final ToLongFunction<MongoCollection<RawBsonDocument>> messages;
    private final BsonDocument live;

    /**
     * Of a collection.
     *
     * @param messages counts the messages in it, the reserved ones too
     * @param live the documents that hold messages
     */
    public CollectionDeletion(
            MongoLink link,
            MongoCollection<RawBsonDocument> collection,
            ToLongFunction<MongoCollection<RawBsonDocument>> messages,
            BsonDocument live) {
        this.link = link;
        this.collection = collection;
        this.messages = messages;
        this.live = live;
    }

    /**
     * Deletes it.
     *
     * @param withMessages whether with whatever it holds
     */
    public DeleteResult delete(boolean withMessages) {
        long there = messages.applyAsLong(collection);
        if (withMessages) {
            collection.drop();
            return DeleteResult.deleted(there);
        }
        return there > 0 ? DeleteResult.refused(there) : deleteEmpty();
    }

    private DeleteResult deleteEmpty() {
        MongoNamespace name = collection.getNamespace();
        String aside = aside(name.getCollectionName());
        try {
            collection.renameCollection(new MongoNamespace(name.getDatabaseName(), aside));
        } catch (MongoCommandException refused) {
            if (refused.getErrorCode() == MongoErrors.NAMESPACE_NOT_FOUND) {
                return DeleteResult.deleted(0);
            }
            throw refused;
        }
        MongoCollection<RawBsonDocument> renamed = link.collection(aside);
        long late = messages.applyAsLong(renamed);
        if (late > 0) {
            BsonDocument back = new BsonDocument("into", new BsonString(name.getCollectionName()))
                    .append("whenMatched", new BsonString("keepExisting"));
            renamed.aggregate(List.of(new BsonDocument("$match", live), new BsonDocument("$merge", back)))
                    .toCollection();
        }
        renamed.drop();
        return late > 0 ? DeleteResult.refused(late) : DeleteResult.deleted(0);
    }

    private static String aside(String queue) {
        byte[] unlikeOthers = new byte[6];
        RANDOM.nextBytes(unlikeOthers);
        return (queue.length() > MAX_NAME ? queue.substring(0, MAX_NAME) : queue)
                + RENAMED
                + HexFormat.of().formatHex(unlikeOthers);
    }
}
