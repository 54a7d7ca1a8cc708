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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The queues of one database, each a collection of buckets. */
final class BucketBackend extends BlockingBackend {
    /** Two buckets: a batch waits for the journal, and so for a majority. */
    private static final int MAX_BATCH = 2048;
    /** A bucket. */
    private static final int GOOD_BATCH = 1024;

    private static final long MAX_BATCH_BYTES = 8L << 20;
    private static final int PROBES_PER_CALL = 100;
    /** A document holds 16 MiB; BSON may be longer than JSON. */
    private static final long MAX_PAYLOAD_BYTES = 15L << 20;

    private final MongoLink link;
    private final String type;
    private final Profile profile;
    private final BucketOptions options;
    private final Transactions transactions;
    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memory;
    private final BucketLocks locks = new BucketLocks();
    private final Executor executor;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final BackendTraits traits;

    BucketBackend(MongoLink link, PluginConfig config, Profile profile) {
        super(config.executor());
        this.link = link;
        this.executor = config.executor();
        this.type = config.url().type();
        this.profile = profile;
        this.options = BucketOptions.parse(config.url());
        this.transactions = new Transactions(link);
        this.indexes = new Indexes(link.timeAsSeen()::nanos, link.replicated());
        this.memory = new QueueMemories<>(link.timeAsSeen()::nanos, () -> new QueueMemory(link.timeAsSeen()::nanos));
        Set<Capability> can = EnumSet.copyOf(profile.capabilities());
        if (!link.replicated()) {
            can.remove(Capability.ATOMIC_MOVE);
        }
        this.traits = BackendTraits.builder()
                .capabilities(can)
                .maxBatch(MAX_BATCH)
                .preferredBatch(GOOD_BATCH)
                .prefersAcksByClaim(true)
                .maxBatchBytes(MAX_BATCH_BYTES)
                .maxPayloadBytes(MAX_PAYLOAD_BYTES)
                .repeatable(link.replicated())
                .build();
    }

    MongoLink link() {
        return link;
    }

    String type() {
        return type;
    }

    Profile profile() {
        return profile;
    }

    BucketOptions options() {
        return options;
    }

    Transactions transactions() {
        return transactions;
    }

    Indexes indexes() {
        return indexes;
    }

    QueueMemories<QueueMemory> memory() {
        return memory;
    }

    /** For work that blocks. */
    Executor executor() {
        return executor;
    }

    BucketLocks locks() {
        return locks;
    }

    /** True once. */
    boolean warnsOnce() {
        return !warned.get() && warned.compareAndSet(false, true);
    }

    BucketCollection place(QueueSpec spec) {
        return new BucketCollection(this, spec.name());
    }

    @Override
    public BackendTraits traits() {
        return traits;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new BucketQueue(place(spec));
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

    /** One command for all of them. */
    private void probe(List<String> names, Map<String, Long> next) {
        List<BsonDocument> pipeline = new ArrayList<>();
        for (String name : names) {
            List<BsonDocument> one = ClaimableSearch.nextPipeline(profile, name, name);
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
        if (link.keeps(queue)) {
            return "with jono.one-database this collection holds signals or stats";
        }
        return queue.startsWith("system.") || queue.startsWith(".") || queue.indexOf('$') >= 0
                ? "MongoDB has no collections of such a name"
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
