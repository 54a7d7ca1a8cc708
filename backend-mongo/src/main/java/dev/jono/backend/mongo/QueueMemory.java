package dev.jono.backend.mongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/** What this process remembers of one queue. */
final class QueueMemory extends CallMemory {
    final ScanStart scanStart;

    QueueMemory(LongSupplier nanos) {
        this.scanStart = new ScanStart(nanos);
    }
}
