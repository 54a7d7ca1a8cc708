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

/**
 * The layout of {@code ps-mongo}: one collection per queue. Consumed messages stay until MongoDB's TTL monitor deletes
 * them.
 */
final class HistoryLayouts implements Layouts {
    private final long ttlMillis;

    /** @param ttlMillis the time for queues without an option of their own; 0 keeps no history */
    HistoryLayouts(long ttlMillis) {
        this.ttlMillis = ttlMillis;
    }

    @Override
    public Layout of(QueueSpec spec) {
        return new WithHistory(spec.name(), spec.historyMillis() > 0 ? spec.historyMillis() : ttlMillis);
    }

    /** The time of that queue is not known here, so the queue itself creates the TTL index. */
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
