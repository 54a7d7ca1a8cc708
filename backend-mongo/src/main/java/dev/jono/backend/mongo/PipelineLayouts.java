package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.ConfigurationException;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.MongoLink;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The layout of {@code pl-mongo}: one collection per pipeline; each document has the name of its queue. Immutable. */
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

    private final String defaultPipeline;
    private final MongoLink link;

    /**
     * Creates the layouts.
     *
     * @param option the option that names the default pipeline, for error messages
     * @param defaultPipeline the pipeline of queues that name none
     * @throws ConfigurationException if no collection can have the name of the pipeline
     */
    PipelineLayouts(String option, String defaultPipeline, MongoLink link) {
        this.defaultPipeline = defaultPipeline;
        this.link = link;
        require(option, defaultPipeline);
    }

    private void require(String option, String pipeline) {
        String reason = link.refuseCollection(pipeline);
        if (reason != null) {
            throw new ConfigurationException(option + ": '" + pipeline + "' cannot name a pipeline: " + reason);
        }
    }

    @Override
    public String defaultPipeline() {
        return defaultPipeline;
    }

    @Override
    public Layout of(QueueSpec spec) {
        String own = spec.pipeline();
        if (own != null) {
            require("option pipeline of queue '" + spec.name() + "'", own);
        }
        return new InPipeline(own == null ? defaultPipeline : own, spec.name());
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
