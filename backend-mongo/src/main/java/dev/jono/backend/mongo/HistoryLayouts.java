package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.spi.QueueSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** {@code ps-mongo}: a collection per queue, in which what is consumed stays until MongoDB's TTL monitor deletes it. */
final class HistoryLayouts implements Layouts {
    private final long ttlMillis;

    /** @param ttlMillis for queues that say nothing themselves; 0 keeps nothing */
    HistoryLayouts(long ttlMillis) {
        this.ttlMillis = ttlMillis;
    }

    @Override
    public Layout of(QueueSpec spec) {
        return new WithHistory(spec.name(), spec.historyMillis() > 0 ? spec.historyMillis() : ttlMillis);
    }

    /** The time is not known, and so not the index that goes by it: the queue itself makes it. */
    @Override
    public Layout target(String queue) {
        return new WithHistory(queue, -1);
    }

    private record WithHistory(String collection, long historyMillis) implements Layout {
        @Override
        public BsonDocument live() {
            return new BsonDocument(Fields.PROCESSED, new BsonDocument("$exists", BsonBoolean.FALSE));
        }

        @Override
        public List<IndexModel> indexes() {
            if (historyMillis <= 0) {
                return List.of(SimpleLayouts.MATURE, SimpleLayouts.LEASE);
            }
            IndexOptions expiring = new IndexOptions()
                    .name("processed_1")
                    .expireAfter(-Math.floorDiv(-historyMillis, 1000L), TimeUnit.SECONDS);
            return List.of(
                    SimpleLayouts.MATURE,
                    SimpleLayouts.LEASE,
                    new IndexModel(new BsonDocument(Fields.PROCESSED, new BsonInt32(1)), expiring));
        }

        @Override
        public boolean holdsHistory() {
            return true;
        }

        @Override
        public @Nullable String queueField() {
            return null;
        }
    }
}
