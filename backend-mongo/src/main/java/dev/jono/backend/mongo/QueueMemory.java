package dev.jono.backend.mongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/** What this process remembers of one queue: its last calls, and where the next search starts. Thread-safe. */
final class QueueMemory extends CallMemory {
    final ScanStart scanStart;

    /** @param nanos a monotonic clock */
    QueueMemory(LongSupplier nanos) {
        this.scanStart = new ScanStart(nanos);
    }
}
