package dev.jono.backend.mongo;

import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;

/**
 * Opens the {@link QueueCollection}s of one database and holds what they share. There is one per backend. Thread-safe.
 */
final class QueueCollections {
    private final MongoLink link;
    private final Layouts layouts;
    private final Indexes indexes;
    private final QueueMemories<QueueMemory> memories;

    QueueCollections(MongoLink link, Layouts layouts) {
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

    /** The documents of a queue that messages move to. The options of that queue are not known here. */
    QueueCollection target(String queue) {
        return of(queue, layouts.target(queue));
    }

    private QueueCollection of(String queue, Layouts.Layout layout) {
        return new QueueCollection(link, indexes, memories, queue, layout);
    }

    /** Whether queues share a collection. */
    boolean shared() {
        return layouts.oneCollection();
    }
}
