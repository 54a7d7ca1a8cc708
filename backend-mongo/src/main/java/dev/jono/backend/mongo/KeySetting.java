package dev.jono.backend.mongo;

import dev.jono.support.mongo.QueueDocuments;
import dev.jono.support.mongo.RepeatedReads;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What this process knows of a queue: whether it is keyed. It is read at the first use of the queue, and again when
 * something hints at a change. All objects of the queue share it. Thread-safe.
 */
final class KeySetting {
    private static final int UNKNOWN = -1;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanos;
    private volatile int known = UNKNOWN;
    private volatile long readNanos;

    /** @param nanos a monotonic clock */
    KeySetting(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The maximum number of messages per key that the storage has; 0 if the queue is not keyed. It may be out of date.
     */
    int maxPerKey(QueueDocuments queue) {
        int setting = known;
        return setting == UNKNOWN ? read(queue) : setting;
    }

    /**
     * Whether the setting is another one than a call assumed.
     *
     * @param always whether to ask the server even if the setting was read in the last second
     */
    boolean changedFrom(int assumed, QueueDocuments queue, boolean always) {
        if (always || known == UNKNOWN || nanos.getAsLong() - readNanos > FRESH_NANOS) {
            read(queue);
        }
        return known != assumed;
    }

    private int read(QueueDocuments queue) {
        int setting = queue.link.call(
                "reading the setting of ordering keys",
                queue.queueName,
                false,
                () -> KeyDocuments.maxPerKey(
                        RepeatedReads.first(queue.documents.find(Fields.doc(Fields.ID, KeyDocuments.QUEUE)))));
        known = setting;
        readNanos = nanos.getAsLong();
        return setting;
    }

    /** The next call reads the setting. */
    void forget() {
        known = UNKNOWN;
    }
}
