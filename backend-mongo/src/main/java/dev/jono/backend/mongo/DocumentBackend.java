package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.MongoBackend;
import dev.jono.support.mongo.MongoLink;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The queues of one database, for all three layouts: each message is a document. Thread-safe. */
final class DocumentBackend extends MongoBackend {
    private static final int MAX_BATCH = 1000;
    /** Each batch waits for the journals of a majority, so large batches are faster. */
    private static final int PREFERRED_BATCH = MAX_BATCH;

    private final String type;
    private final Layouts layouts;
    private final QueueCollections collections;
    private final NextDue nextDue;

    DocumentBackend(MongoLink link, PluginConfig config, Layouts layouts, Set<Capability> onReplicaSet) {
        super(link, config, traits(link, layouts, onReplicaSet));
        this.type = config.url().type();
        this.layouts = layouts;
        this.collections =
                new QueueCollections(link, layouts, traits().capabilities().contains(Capability.KEYED));
        this.nextDue = new NextDue(link, collections);
    }

    private static BackendTraits traits(MongoLink link, Layouts layouts, Set<Capability> onReplicaSet) {
        return traits(
                        link,
                        layouts.oneCollection()
                                ? withTransactions(link, onReplicaSet)
                                : movingInTransactions(link, onReplicaSet))
                .maxBatch(MAX_BATCH)
                .tellsFirstDelivery(true)
                .preferredBatch(PREFERRED_BATCH)
                .maxBatchBytes(Candidates.MAX_READ_BYTES)
                .build();
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new DocumentQueue(collections.of(spec), spec.maxPerKey(), collections, traits().capabilities(), type);
    }

    @Override
    protected Map<String, Long> nextMillis(List<String> queues, @Nullable String pipeline) {
        return nextDue.millis(queues, pipeline);
    }

    @Override
    protected List<String> queuesBlocking() {
        String pipeline = layouts.defaultPipeline();
        return pipeline == null ? super.queuesBlocking() : queuesOf(pipeline);
    }

    private List<String> queuesOf(String pipeline) {
        return link().call("listing queues", null, false, () -> {
            Set<String> names = new TreeSet<>();
            link().collection(pipeline).distinct(Fields.QUEUE, String.class).forEach(names::add);
            return List.copyOf(names);
        });
    }

    /** A move within one queue changes a document in place, which is always atomic. */
    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        return fromQueue.equals(toQueue) || super.movesAtomically(fromQueue, toQueue);
    }

    @Override
    public @Nullable String refuseName(String queue) {
        return layouts.oneCollection() ? null : super.refuseName(queue);
    }

    @Override
    public @Nullable String defaultPipeline() {
        return layouts.defaultPipeline();
    }
}
