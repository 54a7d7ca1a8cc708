package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Where a backend stores the documents of its queues. Implementations are immutable. */
interface Layouts {
    /** The layout of one queue. */
    Layout of(QueueSpec spec);

    /** The layout of a queue that messages move to, whose options are not known. */
    default Layout target(String queue) {
        return of(QueueSpec.builder().name(queue).build());
    }

    /**
     * The pipeline of queues that name none; null if the backend has no pipelines. Queues of a pipeline share a
     * collection, and a move changes a document in place.
     */
    default @Nullable String defaultPipeline() {
        return null;
    }

    /** Whether queues share a collection. */
    default boolean oneCollection() {
        return defaultPipeline() != null;
    }

    /** The layout of one queue. */
    interface Layout {
        /** The name of the collection. */
        String collection();

        /** Selects the messages of this queue that are not consumed. */
        BsonDocument live();

        /** The indexes that the queue needs. */
        List<IndexModel> indexes();

        /** The value of the field {@code _q}; null if documents have no such field. */
        @Nullable String queueField();

        /** The name of the field that holds the due time, or the end of the lease. */
        default String dueField() {
            return Fields.MATURE;
        }

        /** The name of the field that holds the token of a claim. */
        default String tokenField() {
            return Fields.TOKEN;
        }

        /** The maximum number of messages of one ordering key that are held at once; 0 if the queue is not keyed. */
        default int maxPerKey() {
            return 0;
        }

        /** How long consumed messages are kept; 0 if they are deleted; negative if that is not known. */
        long historyMillis();

        /**
         * Whether the collection may hold consumed messages. Other processes may keep them although this one deletes.
         */
        boolean holdsHistory();
    }
}
