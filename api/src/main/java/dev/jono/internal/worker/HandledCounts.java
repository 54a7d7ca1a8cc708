package dev.jono.internal.worker;

import java.util.concurrent.atomic.AtomicLong;

/** How many messages a worker has handled. Counted on the threads of handlers and of the storage. Thread-safe. */
final class HandledCounts {
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** Counts a message whose handler has ended. */
    void count(boolean success) {
        (success ? succeeded : failed).incrementAndGet();
    }

    long succeeded() {
        return succeeded.get();
    }

    long failed() {
        return failed.get();
    }
}
