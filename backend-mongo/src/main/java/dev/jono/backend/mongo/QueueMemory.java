package dev.jono.backend.mongo;

import dev.jono.support.mongo.CallMemory;
import java.util.function.LongSupplier;

/**
 * What this process remembers of one queue: its last calls, where the next search starts, and whether the queue is
 * keyed. Thread-safe.
 */
final class QueueMemory extends CallMemory {
    final ScanStart scanStart;
    final KeySetting keySetting;

    /** @param nanos a monotonic clock */
    QueueMemory(LongSupplier nanos) {
        this.scanStart = new ScanStart(nanos);
        this.keySetting = new KeySetting(nanos);
    }
}
