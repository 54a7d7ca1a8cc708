package dev.jono.jobs.memory;

import dev.jono.Storage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.PluginConfig;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The provider of job stores for the backend {@code memory}. Factories that share their queues share the records. */
public final class MemoryJobStoreProvider implements JobStoreProvider {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** By the storage of the queues; guarded by LOCK. */
    private static final Map<Storage, SharedTable> TABLES = new WeakHashMap<>();

    /** For {@link java.util.ServiceLoader}. */
    public MemoryJobStoreProvider() {}

    @Override
    public Set<String> backends() {
        return Set.of("memory");
    }

    @Override
    public JobStore open(PluginConfig config) {
        Storage storage = Objects.requireNonNull(config.storage(), "the storage of the queues");
        LOCK.lock();
        try {
            SharedTable table = TABLES.computeIfAbsent(storage, each -> new SharedTable());
            return new MemoryJobStore(table, config.clock());
        } finally {
            LOCK.unlock();
        }
    }
}
