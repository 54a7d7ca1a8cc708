package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/** What this process remembers of one queue. */
final class Memory extends CallMemory {
    final Shelf shelf;

    Memory(LongSupplier nanos) {
        this.shelf = new Shelf(nanos);
    }
}
