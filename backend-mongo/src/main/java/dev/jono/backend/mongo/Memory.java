package dev.jono.backend.mongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/** What this process remembers of one queue. */
final class Memory extends CallMemory {
    final ScanStart start;

    Memory(LongSupplier nanos) {
        this.start = new ScanStart(nanos);
    }
}
