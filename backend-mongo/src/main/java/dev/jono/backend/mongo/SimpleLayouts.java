package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** {@code mongo}: a collection per queue, and a message that is consumed is deleted. */
final class SimpleLayouts implements Layouts {
    /** keuss's own: with other options, or under another name, its processes would fail. */
    static final IndexModel MATURE =
            new IndexModel(new BsonDocument(Fields.MATURE, new BsonInt32(1)), new IndexOptions().name("mature_1"));

    /** Jono's, of reservations alone: finds what has expired, to put it into its old place. */
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
