package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.spi.QueueSpec;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** {@code pl-mongo}: all queues of a pipeline in one collection, each document with the name of its queue. */
final class PipelineLayouts implements Layouts {
    private static final IndexModel MATURE = new IndexModel(
            new BsonDocument(Fields.QUEUE, new BsonInt32(1)).append(Fields.MATURE, new BsonInt32(1)),
            new IndexOptions().name("_q_1_mature_1"));

    private static final IndexModel LEASE = new IndexModel(
            new BsonDocument(Fields.QUEUE, new BsonInt32(1)).append(Fields.LEASE, new BsonInt32(1)),
            new IndexOptions()
                    .name("_q_1_lease_1")
                    .partialFilterExpression(
                            new BsonDocument(Fields.LEASE, new BsonDocument("$exists", BsonBoolean.TRUE))));

    private final String pipeline;

    PipelineLayouts(String pipeline) {
        this.pipeline = pipeline;
    }

    String pipeline() {
        return pipeline;
    }

    @Override
    public Layout of(QueueSpec spec) {
        return new OfPipeline(pipeline, spec.name());
    }

    @Override
    public boolean oneCollection() {
        return true;
    }

    private record OfPipeline(String collection, String queueField) implements Layout {
        @Override
        public BsonDocument live() {
            return new BsonDocument(Fields.QUEUE, new BsonString(queueField));
        }

        @Override
        public List<IndexModel> indexes() {
            return List.of(MATURE, LEASE);
        }

        @Override
        public long historyMillis() {
            return 0;
        }
    }
}
