package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The signals that a transaction publishes after its commit. Of several inserts into one queue, only the one with the
 * earliest due time is kept. Used by the writer's thread.
 */
final class Announcements {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** A signal and its channel. */
    record Entry(long channel, Signal signal) {}

    private final List<Entry> entries = new ArrayList<>();

    /** The channel of a queue: a hash of namespace and name. Two queues may share a channel, but rarely do. */
    static long channel(String namespace, String queue) {
        return hash(hash(FNV_OFFSET, namespace) * FNV_PRIME, queue);
    }

    private static long hash(long seed, String text) {
        long hash = seed;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    void add(long channel, Signal signal) {
        Entry entry = new Entry(channel, signal);
        if (signal.kind() == Signal.Kind.INSERTED) {
            for (int i = 0; i < entries.size(); i++) {
                Entry other = entries.get(i);
                if (other.channel == entry.channel && other.signal.kind() == Signal.Kind.INSERTED) {
                    if (signal.dueMillis() < other.signal.dueMillis()) {
                        entries.set(i, entry);
                    }
                    return;
                }
            }
        }
        entries.add(entry);
    }

    List<Entry> entries() {
        return entries;
    }
}
