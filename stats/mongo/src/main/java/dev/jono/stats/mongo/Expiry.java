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
 * Lets MongoDB delete a queue's document when it has not been used for some time: a TTL index on a field of Jono's, which keuss
 * ignores. Documents of paused queues are not in the index, also those that keuss has paused: the pause would end with them.
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
        this.indexes = new Indexes(link.timeAsSeen()::nanos, link.replicated());
        this.collection = link.database(MongoLink.Suffix.STATS).getCollection(MongoLink.STATS, RawBsonDocument.class);
    }

    /** Adds to a change of a queue's document that it is in use now. May block. */
    void postpone(BsonDocument change) {
        indexes.ensure(collection, INDEX, true);
        BsonDocument set = change.getDocument("$set");
        set.append(UNTIL, new BsonDateTime(link.time().latestMillis() + millis));
        if (!set.containsKey(PAUSED)) {
            // Leaves what is there: of two the greater is true.
            change.put("$max", NOT_PAUSED);
        }
    }
}
