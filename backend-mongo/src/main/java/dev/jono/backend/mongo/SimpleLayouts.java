package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** The layout of {@code mongo}: one collection per queue. Consumed messages are deleted. */
final class SimpleLayouts implements Layouts {
    /** The index of keuss. With other options or another name, processes of keuss would fail. */
    static final IndexModel MATURE =
            new IndexModel(new BsonDocument(Fields.MATURE, new BsonInt32(1)), new IndexOptions().name("mature_1"));

    /** Jono's index of reserved messages: finds those with expired leases. */
    static final IndexModel LEASE = new IndexModel(
            new BsonDocument(Fields.LEASE, new BsonInt32(1)),
            new IndexOptions().name("lease_1").sparse(true));

    @Override
    public Layout of(QueueSpec spec) {
        return new Simple(spec.name());
    }

    private record Simple(String collection) implements Layout {
        @Override
        public BsonDocument live() {
            return new BsonDocument();
        }

        @Override
        public List<IndexModel> indexes() {
            return List.of(MATURE, LEASE);
        }

        @Override
        public @Nullable String queueField() {
            return null;
        }

        @Override
        public long historyMillis() {
            return 0;
        }

        @Override
        public boolean holdsHistory() {
            return false;
        }
    }
}
