package dev.jono.memory;

import dev.jono.JonoClock;
import dev.jono.Storage;
import dev.jono.spi.SteadyClock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The storage of the backend {@code memory}: queues, and the signals and stats of the factories on it. Thread-safe. */
final class MemoryStorage implements Storage {
    final SteadyClock clock;
    final RecentCalls calls = new RecentCalls();
    final SignalBus signals = new SignalBus();
    final StatsTable stats = new StatsTable();

    private final Ids ids = new Ids();
    private final UniqueKeys sharedKeys = new UniqueKeys();
    private final AtomicInteger tableCount = new AtomicInteger();
    private final ConcurrentHashMap<String, MessageTable> tables = new ConcurrentHashMap<>();

    MemoryStorage(JonoClock clock) {
        this.clock = new SteadyClock(clock);
    }

    /** The table of a queue, created if there is none. */
    MessageTable table(String name) {
        MessageTable known = tables.get(name);
        return known != null
                ? known
                : tables.computeIfAbsent(name, n -> new MessageTable(tableCount.incrementAndGet(), n, ids, sharedKeys));
    }

    /** The table of a queue; null if the queue was never used. */
    @Nullable MessageTable findTable(String name) {
        return tables.get(name);
    }

    /** Forgets the table of a deleted queue. The caller holds its lock. */
    void forget(MessageTable deleted) {
        tables.remove(deleted.name, deleted);
    }

    /** The names of all queues that ever held a message, sorted. */
    List<String> names() {
        return tables.values().stream()
                .filter(MessageTable::used)
                .map(table -> table.name)
                .sorted()
                .toList();
    }
}
