package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.ConfigurationException;
import dev.jono.spi.QueueSpec;
import java.util.List;
import java.util.function.Predicate;
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

    private final String byDefault;
    private final Predicate<String> kept;

    /**
     * Layouts of pipelines.
     *
     * @param option what named the pipeline of queues that name none, for the error
     * @param byDefault that pipeline
     * @param kept whether a collection is kept for something else
     * @throws ConfigurationException if it cannot be
     */
    PipelineLayouts(String option, String byDefault, Predicate<String> kept) {
        this.byDefault = byDefault;
        this.kept = kept;
        require(option, byDefault);
    }

    private void require(String option, String pipeline) {
        String refused = MongoBackend.refused(pipeline);
        if (refused == null && kept.test(pipeline)) {
            refused = "with jono.one-database this collection holds signals or stats";
        }
        if (refused != null) {
            throw new ConfigurationException(option + ": '" + pipeline + "' cannot name a pipeline: " + refused);
        }
    }

    @Override
    public String defaultPipeline() {
        return byDefault;
    }

    @Override
    public Layout of(QueueSpec spec) {
        String own = spec.pipeline();
        if (own != null) {
            require("option pipeline of queue '" + spec.name() + "'", own);
        }
        return new InPipeline(own == null ? byDefault : own, spec.name());
    }

    private record InPipeline(String collection, String queueField) implements Layout {
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

        @Override
        public boolean holdsHistory() {
            return false;
        }
    }
}
