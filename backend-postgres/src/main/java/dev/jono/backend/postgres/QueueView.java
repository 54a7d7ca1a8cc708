package dev.jono.backend.postgres;

import dev.jono.spi.QueueSpec;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A queue as one factory uses it: its name and the settings that its calls need.
 *
 * @param queue the name of the queue
 * @param schema the schema of the tables
 * @param maxPerKey most messages of one ordering key that are held at one time; 0 if the queue was opened without keys
 * @param historyMillis how long consumed messages are kept, in milliseconds; 0 keeps none
 */
record QueueView(String queue, String schema, int maxPerKey, long historyMillis) {
    static QueueView of(QueueSpec spec, String schema, long historyMillis) {
        return new QueueView(spec.name(), schema, spec.maxPerKey(), historyMillis);
    }

    /**
     * The number of an advisory lock. Two names have the same number rarely; then calls wait for one another without need.
     *
     * @param name what is locked, within the schema
     */
    static long lockNumber(String schema, String name) {
        CRC32 first = new CRC32();
        first.update(schema.getBytes(StandardCharsets.UTF_8));
        CRC32 second = new CRC32();
        second.update(name.getBytes(StandardCharsets.UTF_8));
        return first.getValue() << Integer.SIZE | second.getValue();
    }

    /** The lock that keeps a queue from being deleted while messages are added. */
    long lockNumber(String name) {
        return lockNumber(schema, "queue " + name);
    }

    /** The lock of an ordering key, for claims. */
    long keyLockNumber(String key) {
        return lockNumber(schema, "key " + queue + ' ' + key);
    }
}
