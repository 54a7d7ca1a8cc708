package dev.jono.backend.postgres;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What claims know of earlier ones, by the names of queues. All stores of a queue share it, as long as one of them is in use.
 * Thread-safe.
 */
final class LooksByName {
    private final LongSupplier nanos;
    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<QueueLooks> unused = new ReferenceQueue<>();

    /** @param nanos the nanoseconds of a clock that does not go back */
    LooksByName(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private static final class Entry extends WeakReference<QueueLooks> {
        private final String name;

        Entry(String name, QueueLooks looks, ReferenceQueue<QueueLooks> unused) {
            super(looks, unused);
            this.name = name;
        }
    }

    /** The looks of a queue. The caller keeps them in use. */
    QueueLooks of(String name) {
        removeUnused();
        QueueLooks looks = find(name);
        while (looks == null) {
            QueueLooks added = QueueLooks.of(nanos);
            Entry entry = entries.compute(
                    name, (key, old) -> old != null && old.get() != null ? old : new Entry(key, added, unused));
            looks = entry.get();
        }
        return looks;
    }

    /** The looks of a queue; null if no store uses it. */
    @Nullable QueueLooks find(String name) {
        Entry entry = entries.get(name);
        return entry == null ? null : entry.get();
    }

    private void removeUnused() {
        for (Object entry = unused.poll(); entry != null; entry = unused.poll()) {
            entries.remove(((Entry) entry).name, entry);
        }
    }
}
