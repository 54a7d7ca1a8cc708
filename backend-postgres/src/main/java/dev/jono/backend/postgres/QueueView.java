package dev.jono.backend.postgres;

import dev.jono.spi.QueueSpec;
import dev.jono.support.postgres.AdvisoryLocks;
import java.util.function.LongSupplier;

/**
 * A queue as one factory uses it: its name and the settings that its calls need.
 *
 * @param queue the name of the queue
 * @param schema the schema of the tables
 * @param maxPerKey most messages of one ordering key that are held at one time; 0 if the queue was opened without keys
 * @param historyMillis how long consumed messages are kept, in milliseconds; 0 keeps none
 * @param looks what claims know of earlier ones
 */
record QueueView(String queue, String schema, int maxPerKey, long historyMillis, QueueLooks looks) {
    /** @param nanos the nanoseconds of a clock that does not go back */
    static QueueView of(QueueSpec spec, String schema, long historyMillis, LongSupplier nanos) {
        return new QueueView(spec.name(), schema, spec.maxPerKey(), historyMillis, QueueLooks.of(nanos));
    }

    /** Whether one message of a key is held at a time, and the order is strict. */
    boolean strict() {
        return maxPerKey == 1;
    }

    /** The lock that keeps a queue from being deleted while messages are added. */
    long lockNumber(String name) {
        return AdvisoryLocks.number(schema, "queue " + name);
    }

    /** The lock of an ordering key, for claims. */
    long keyLockNumber(String key) {
        return AdvisoryLocks.number(schema, "key " + queue + ' ' + key);
    }
}
