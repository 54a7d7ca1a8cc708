package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonDocument;

/** Where the queues of a backend have their documents. */
interface Layouts {
    /** The layout of one queue. */
    Layout of(QueueSpec spec);

    /** Whether all queues share a collection, so that a move changes a document where it is. */
    boolean oneCollection();

    /** The layout of one queue. */
    interface Layout {
        /** The collection. */
        String collection();

        /** Which of its documents are messages of this queue that are not consumed. */
        BsonDocument live();

        /** The indexes that it needs. */
        List<IndexModel> indexes();

        /** The field {@code _q}; null where documents have none. */
        @org.jspecify.annotations.Nullable String queueField();

        /** How long consumed messages are kept; 0 where they are deleted. */
        long historyMillis();
    }
}
