package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/** What this process remembers of one queue: recent calls and buckets. Thread-safe. */
final class QueueMemory extends CallMemory {
    final BucketCache buckets;

    QueueMemory(LongSupplier nanos) {
        this.buckets = new BucketCache(nanos);
    }
}
