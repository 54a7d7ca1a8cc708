package dev.jono.memory;

import dev.jono.JonoClock;
import dev.jono.Storage;
import dev.jono.spi.SteadyClock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What a storage is elsewhere: queues, and the signals and stats of those who share them. Thread-safe. */
final class MemoryStorage implements Storage {
    final SteadyClock clock;
    final RecentCalls calls = new RecentCalls();
    final SignalBus signals = new SignalBus();
    final StatsTable stats = new StatsTable();

    private final Ids ids = new Ids();
    private final AtomicInteger tableCount = new AtomicInteger();
    private final ConcurrentHashMap<String, MessageTable> tables = new ConcurrentHashMap<>();

    MemoryStorage(JonoClock clock) {
        this.clock = new SteadyClock(clock);
    }

    /** The queue of this name, made if there is none. */
    MessageTable table(String name) {
        MessageTable known = tables.get(name);
        return known != null
                ? known
                : tables.computeIfAbsent(name, n -> new MessageTable(tableCount.incrementAndGet(), n, ids));
    }

    /** The queue of this name; null when nobody ever opened it. */
    @Nullable MessageTable findTable(String name) {
        return tables.get(name);
    }

    /** Forgets a queue that was deleted; its lock is held. */
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
