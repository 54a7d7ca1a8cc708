package dev.jono.backend.postgres;

import dev.jono.spi.QueueSpec;
import dev.jono.support.postgres.AdvisoryLocks;

/**
 * A queue as one factory uses it: its name and the settings that its calls need.
 *
 * @param queue the name of the queue
 * @param schema the schema of the tables
 * @param maxPerKey most messages of one ordering key that are held at one time; 0 if the queue was opened without keys
 * @param historyMillis how long consumed messages are kept, in milliseconds; 0 keeps none
 * @param looks what claims know of earlier ones
 * @param looksByName the same of all queues, for moves into others
 */
record QueueView(
        String queue, String schema, int maxPerKey, long historyMillis, QueueLooks looks, LooksByName looksByName) {
    static QueueView of(QueueSpec spec, String schema, long historyMillis, LooksByName looks) {
        return new QueueView(spec.name(), schema, spec.maxPerKey(), historyMillis, looks.of(spec.name()), looks);
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
