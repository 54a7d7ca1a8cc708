package dev.jono.stats.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;

/**
 * Lets MongoDB delete the document of a queue that was not used for some time, by a TTL index on a field that keuss
 * ignores. The index does not contain documents of paused queues, including those that keuss paused: a deletion would
 * end the pause. Thread-safe.
 */
final class Expiry {
    private static final String UNTIL = "jono_until";
    private static final String PAUSED = "paused";
    private static final BsonDocument NOT_PAUSED = new BsonDocument(PAUSED, BsonBoolean.FALSE);

    private static final List<IndexModel> INDEX = List.of(new IndexModel(
            new BsonDocument(UNTIL, new BsonInt32(1)),
            new IndexOptions()
                    .name("jono_until_1")
                    .expireAfter(0L, TimeUnit.SECONDS)
                    .partialFilterExpression(NOT_PAUSED)));

    private final MongoLink link;
    private final long millis;
    private final Indexes indexes;
    private final MongoCollection<RawBsonDocument> collection;

    Expiry(MongoLink link, long millis) {
        this.link = link;
        this.millis = millis;
        this.indexes = new Indexes(link.lastKnownTime()::nanos, link.replicated());
        this.collection = link.database(MongoLink.Suffix.STATS).getCollection(MongoLink.STATS, RawBsonDocument.class);
    }

    /** Adds to a change of a queue's document that the queue is in use now. May block. */
    void postpone(BsonDocument change) {
        indexes.ensure(collection, INDEX, true);
        BsonDocument set = change.getDocument("$set");
        set.append(UNTIL, new BsonDateTime(link.time().latestMillis() + millis));
        if (!set.containsKey(PAUSED)) {
            // Keeps an existing value: true is greater than false.
            change.put("$max", NOT_PAUSED);
        }
    }
}
