package dev.jono.backend.mongo;

import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;
import org.jspecify.annotations.Nullable;

/**
 * Opens the {@link QueueCollection}s of one database and holds what they share. There is one per backend. Thread-safe.
 */
final class QueueCollections {
    private final boolean keyed;
    private final MongoLink link;
    private final Layouts layouts;
    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memories;

    /** @param keyed whether the backend has keyed queues */
    QueueCollections(MongoLink link, Layouts layouts, boolean keyed) {
        this.keyed = keyed;
        this.link = link;
        this.layouts = layouts;
        this.indexes = new Indexes(link.lastKnownTime()::nanos, link.replicated());
        this.memories =
                new QueueMemories<>(link.lastKnownTime()::nanos, () -> new QueueMemory(link.lastKnownTime()::nanos));
    }

    /** The documents of one queue. */
    QueueCollection of(QueueSpec spec) {
        return of(spec.name(), layouts.of(spec));
    }

    /**
     * The documents of a queue that messages move to. The options of that queue are not known here, but whether it is
     * keyed.
     */
    QueueCollection target(String queue) {
        return asStored(of(queue, layouts.target(queue)));
    }

    /** The documents of a queue, keyed or not. */
    QueueCollection stored(String queue, @Nullable String pipeline) {
        return asStored(of(QueueSpec.builder().name(queue).pipeline(pipeline).build()));
    }

    private QueueCollection asStored(QueueCollection plain) {
        int maxPerKey = keyed ? plain.keySetting().maxPerKey(plain) : 0;
        return maxPerKey == 0 ? plain : plain.keyed(maxPerKey);
    }

    private QueueCollection of(String queue, Layouts.Layout layout) {
        return new QueueCollection(link, indexes, memories, queue, layout);
    }

    /** Whether queues share a collection. */
    boolean shared() {
        return layouts.oneCollection();
    }
}
