package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Signals to publish behind a commit, merged: of several inserts into one queue only the earliest counts. */
final class Announcements {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** One signal and the channel that it goes to. */
    record Entry(long channel, Signal signal) {}

    private final List<Entry> entries = new ArrayList<>();

    /** The number under which the signals of a queue travel: a hash, so two queues may rarely share one. */
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
