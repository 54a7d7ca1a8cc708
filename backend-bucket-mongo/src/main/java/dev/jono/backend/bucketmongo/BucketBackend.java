package dev.jono.backend.bucketmongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoBackend;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The queues of one database; each is a collection of buckets. Thread-safe. */
final class BucketBackend extends MongoBackend {
    /** Two buckets of the default size: each batch waits until a majority has journaled it. */
    private static final int MAX_BATCH = 2048;
    /** One bucket of the default size. */
    private static final int PREFERRED_BATCH = 1024;

    private static final long MAX_BATCH_BYTES = 8L << 20;

    private final BucketContext context;

    BucketBackend(MongoLink link, PluginConfig config, Profile profile) {
        super(link, config, traits(link, profile));
        LongSupplier nanos = link.lastKnownTime()::nanos;
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
    }

    private static BackendTraits traits(MongoLink link, Profile profile) {
        return traits(link, movingInTransactions(link, profile.capabilities()))
                .maxBatch(MAX_BATCH)
                .preferredBatch(PREFERRED_BATCH)
                .maxBatchBytes(MAX_BATCH_BYTES)
                .build();
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new BucketQueue(new BucketCollection(context, spec.name()));
    }

    @Override
    protected Map<String, Long> nextMillis(List<String> queues, @Nullable String pipeline) {
        List<BsonDocument> stages = new ArrayList<>();
        for (String queue : queues) {
            List<BsonDocument> one = ClaimableSearch.nextPipeline(context.profile(), queue, queue);
            if (stages.isEmpty()) {
                stages.addAll(one);
            } else {
                stages.add(ClaimableSearch.union(queue, one));
            }
        }
        MongoCollection<RawBsonDocument> first = link().collection(queues.get(0));
        return link().call("probe", null, false, () -> {
            Map<String, Long> next = new HashMap<>();
            for (RawBsonDocument found : first.aggregate(stages)) {
                next.merge(found.getString("queue").getValue(), ClaimableSearch.delayMillis(found), Math::min);
            }
            return next;
        });
    }
}
