package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The queues of one database; each is a collection of buckets. Thread-safe. */
final class BucketBackend extends BlockingBackend {
    /** Two buckets of the default size: each batch waits until a majority has journaled it. */
    private static final int MAX_BATCH = 2048;
    /** One bucket of the default size. */
    private static final int PREFERRED_BATCH = 1024;

    private static final long MAX_BATCH_BYTES = 8L << 20;
    private static final int PROBES_PER_CALL = 100;
    /** Less than the 16 MiB of a document, because a payload may be longer as BSON than as JSON. */
    private static final long MAX_PAYLOAD_BYTES = 15L << 20;

    private final MongoLink link;
    private final BucketContext context;
    private final BackendTraits traits;

    BucketBackend(MongoLink link, PluginConfig config, Profile profile) {
        super(config.executor());
        LongSupplier nanos = link.lastKnownTime()::nanos;
        this.link = link;
        this.context = new BucketContext(
                link,
                config.url().type(),
                profile,
                BucketOptions.parse(config.url()),
                new Transactions(link),
                new Indexes(nanos, link.replicated()),
                new QueueMemories<>(nanos, () -> new QueueMemory(nanos)),
                new BucketLocks(),
                config.executor(),
                new AtomicBoolean());
        this.traits = traits(profile);
    }

    private BackendTraits traits(Profile profile) {
        Set<Capability> capabilities = EnumSet.copyOf(profile.capabilities());
        if (!link.replicated()) {
            capabilities.remove(Capability.ATOMIC_MOVE);
        }
        return BackendTraits.builder()
                .capabilities(capabilities)
                .maxBatch(MAX_BATCH)
                .preferredBatch(PREFERRED_BATCH)
                .maxBatchBytes(MAX_BATCH_BYTES)
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
        return new BucketQueue(new BucketCollection(context, spec.name()));
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        List<String> names = List.copyOf(request.queues());
        Map<String, Long> next = new HashMap<>();
        for (int from = 0; from < names.size(); from += PROBES_PER_CALL) {
            probe(names.subList(from, Math.min(names.size(), from + PROBES_PER_CALL)), next);
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(link.call("probe", null, false, () -> link.time().nowMillis()))
                .build();
    }

    /** Asks for several queues with one command. */
    private void probe(List<String> names, Map<String, Long> next) {
        List<BsonDocument> pipeline = new ArrayList<>();
        for (String name : names) {
            List<BsonDocument> one = ClaimableSearch.nextPipeline(context.profile(), name, name);
            if (pipeline.isEmpty()) {
                pipeline.addAll(one);
            } else {
                pipeline.add(ClaimableSearch.union(name, one));
            }
        }
        MongoCollection<RawBsonDocument> first = link.collection(names.get(0));
        link.call("probe", null, false, () -> {
            for (RawBsonDocument found : first.aggregate(pipeline)) {
                next.merge(found.getString("queue").getValue(), ClaimableSearch.delayMillis(found), Math::min);
            }
            return next;
        });
    }

    @Override
    protected List<String> queuesBlocking() {
        return link.call("listing queues", null, false, () -> {
            Set<String> names = new TreeSet<>();
            for (BsonDocument collection : link.database().listCollections(BsonDocument.class)) {
                String name = collection.getString("name").getValue();
                if (collection.getString("type").getValue().equals("collection")
                        && !collection.getDocument("options").containsKey("capped")
                        && refuseName(name) == null) {
                    names.add(name);
                }
            }
            return List.copyOf(names);
        });
    }

    @Override
    public @Nullable String refuseName(String queue) {
        if (link.holdsSignalsOrStats(queue)) {
            return "with jono.one-database this collection holds signals or stats";
        }
        return queue.startsWith("system.") || queue.startsWith(".") || queue.indexOf('$') >= 0
                ? "MongoDB allows no such collection name"
                : null;
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
