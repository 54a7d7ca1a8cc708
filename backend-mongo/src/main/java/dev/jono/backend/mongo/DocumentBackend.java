package dev.jono.backend.mongo;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.MongoLink;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one database, for all three layouts. The engine calls it; its calls run on the threads of the backend's
 * executor and block them. Thread-safe.
 */
final class DocumentBackend extends BlockingBackend {
    private static final int MAX_BATCH = 1000;
    /** Each batch waits for the journals of a majority, so large batches are faster. */
    private static final int PREFERRED_BATCH = MAX_BATCH;

    /** A document holds 16 MiB. BSON may be longer than the JSON of the same payload. */
    private static final long MAX_PAYLOAD_BYTES = 15L << 20;

    private final MongoLink link;
    private final String type;
    private final Layouts layouts;
    private final QueueCollections collections;
    private final NextDue nextDue;
    private final BackendTraits traits;

    DocumentBackend(MongoLink link, PluginConfig config, Layouts layouts, Set<Capability> onReplicaSet) {
        super(config.executor());
        this.link = link;
        this.type = config.url().type();
        this.layouts = layouts;
        this.collections = new QueueCollections(link, layouts);
        this.nextDue = new NextDue(link, layouts);
        Set<Capability> capabilities = EnumSet.copyOf(onReplicaSet);
        if (!link.replicated() && !layouts.oneCollection()) {
            capabilities.remove(Capability.ATOMIC_MOVE);
        }
        this.traits = BackendTraits.builder()
                .capabilities(capabilities)
                .maxBatch(MAX_BATCH)
                .preferredBatch(PREFERRED_BATCH)
                .maxBatchBytes(Candidates.MAX_READ_BYTES)
                .maxPayloadBytes(MAX_PAYLOAD_BYTES)
                .repeatable(link.replicated())
                .build();
    }

    @Override
    public BackendTraits traits() {
        return traits;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new DocumentQueue(collections.of(spec), collections, traits.capabilities(), type);
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        return nextDue.probe(request);
    }

    @Override
    protected List<String> queuesBlocking() {
        return link.call("listing queues", null, false, () -> {
            Set<String> names = new TreeSet<>();
            String pipeline = layouts.defaultPipeline();
            if (pipeline != null) {
                link.collection(pipeline).distinct(Fields.QUEUE, String.class).forEach(names::add);
            } else {
                for (BsonDocument collection : link.database().listCollections(BsonDocument.class)) {
                    String name = collection.getString("name").getValue();
                    if (collection.getString("type").getValue().equals("collection")
                            && !collection.getDocument("options").containsKey("capped")
                            && refuseName(name) == null) {
                        names.add(name);
                    }
                }
            }
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
        return layouts.oneCollection() ? null : Layouts.refuseCollection(queue, link::holdsSignalsOrStats);
    }

    @Override
    public @Nullable String defaultPipeline() {
        return layouts.defaultPipeline();
    }

    @Override
    public Storage storage() {
        return link;
    }

    @Override
    public void close() {
        link.close();
    }
}
