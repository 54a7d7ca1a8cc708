package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonDocument;

/** Where the queues of a backend have their documents. */
interface Layouts {
    /** The layout of one queue. */
    Layout of(QueueSpec spec);

    /** The layout of a queue that messages are moved to, where its options are not known. */
    default Layout target(String queue) {
        return of(QueueSpec.builder().name(queue).build());
    }

    /**
     * The pipeline of queues that name none; null where there are no pipelines. Queues of a pipeline share a collection, and a
     * move changes a document where it is.
     */
    default @org.jspecify.annotations.Nullable String defaultPipeline() {
        return null;
    }

    /** Whether queues share a collection. */
    default boolean oneCollection() {
        return defaultPipeline() != null;
    }

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

        /** How long consumed messages are kept; 0 where they are deleted; negative where that is not known. */
        long historyMillis();

        /** Whether documents of consumed messages may be there: others may keep them where this process deletes. */
        boolean holdsHistory();
    }
}
