package dev.jono.backend.mongo;

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
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The queues of one database. */
final class MongoBackend extends BlockingBackend {
    private static final int MAX_BATCH = 1000;
    /** A batch waits for the journal, and so for a majority: the fewer, the better. */
    private static final int GOOD_BATCH = MAX_BATCH;

    private static final int PROBES_PER_CALL = 100;
    /** A document holds 16 MiB; BSON may be longer than JSON. */
    private static final long MAX_PAYLOAD_BYTES = 15L << 20;

    private final MongoLink link;
    private final String type;
    private final Layouts layouts;
    private final Transactions transactions;
    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memory;
    private final BackendTraits traits;

    MongoBackend(MongoLink link, PluginConfig config, Layouts layouts, Set<Capability> most) {
        super(config.executor());
        this.link = link;
        this.type = config.url().type();
        this.layouts = layouts;
        this.transactions = new Transactions(link);
        this.indexes = new Indexes(link.timeAsSeen()::nanos, link.replicated());
        this.memory = new QueueMemories<>(link.timeAsSeen()::nanos, () -> new QueueMemory(link.timeAsSeen()::nanos));
        Set<Capability> can = EnumSet.copyOf(most);
        if (!link.replicated() && !layouts.oneCollection()) {
            can.remove(Capability.ATOMIC_MOVE);
        }
        this.traits = BackendTraits.builder()
                .capabilities(can)
                .maxBatch(MAX_BATCH)
                .preferredBatch(GOOD_BATCH)
                .maxBatchBytes(Candidates.MAX_READ_BYTES)
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

    Layouts layouts() {
        return layouts;
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

    QueueCollection collection(QueueSpec spec) {
        return new QueueCollection(this, spec.name(), layouts.of(spec));
    }

    /** Where messages are moved to, whose queue has options that are not known here. */
    QueueCollection target(String queue) {
        return new QueueCollection(this, queue, layouts.target(queue));
    }

    @Override
    public BackendTraits traits() {
        return traits;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new MongoQueue(collection(spec));
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        List<String> names = List.copyOf(request.queues());
        Map<String, Long> next = new HashMap<>();
        for (int from = 0; from < names.size(); from += PROBES_PER_CALL) {
            probe(names.subList(from, Math.min(names.size(), from + PROBES_PER_CALL)), request.pipeline(), next);
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(link.call("probe", null, false, () -> link.time().nowMillis()))
                .build();
    }

    /** One command for all of them. */
    private void probe(List<String> names, @Nullable String inPipeline, Map<String, Long> next) {
        List<BsonDocument> pipeline = new ArrayList<>();
        MongoCollection<RawBsonDocument> first = null;
        for (String name : names) {
            Layouts.Layout layout = layouts.of(
                    QueueSpec.builder().name(name).pipeline(inPipeline).build());
            if (first == null) {
                first = link.collection(layout.collection());
                pipeline.addAll(earliest(layout, name));
            } else {
                pipeline.add(Fields.doc(
                        "$unionWith",
                        Fields.doc("coll", new BsonString(layout.collection()))
                                .append("pipeline", new BsonArray(earliest(layout, name)))));
            }
        }
        MongoCollection<RawBsonDocument> asked = first;
        if (asked != null) {
            link.call("probe", null, false, () -> {
                for (RawBsonDocument found : asked.aggregate(pipeline)) {
                    next.put(found.getString("queue").getValue(), Counts.millisUntilDue(found));
                }
                return next;
            });
        }
    }

    private static List<BsonDocument> earliest(Layouts.Layout layout, String name) {
        BsonDocument filter = layout.live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        BsonDocument shown = Fields.doc(Fields.MATURE, Fields.ONE)
                .append(StoredDocument.NOW, Fields.NOW)
                .append("queue", Fields.doc("$literal", new BsonString(name)));
        return List.of(
                Fields.doc("$match", filter),
                Fields.doc("$sort", Fields.doc(Fields.MATURE, Fields.ONE)),
                Fields.doc("$limit", Fields.ONE),
                Fields.doc("$project", shown));
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

    /** Why a collection of queues cannot have this name; null if it can. */
    static @Nullable String refused(String name) {
        return name.isEmpty() || name.startsWith("system.") || name.startsWith(".") || name.indexOf('$') >= 0
                ? "MongoDB has no collections of such a name"
                : null;
    }

    /** Into its own queue a message moves where it is. */
    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        return fromQueue.equals(toQueue) || super.movesAtomically(fromQueue, toQueue);
    }

    @Override
    public @Nullable String refuseName(String queue) {
        if (layouts.oneCollection()) {
            return null;
        }
        if (link.keeps(queue)) {
            return "with jono.one-database this collection holds signals or stats";
        }
        return refused(queue);
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
