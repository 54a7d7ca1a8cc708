package dev.jono.memory;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.StorageException;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The backend of one factory on a {@link MemoryStorage}. Calls never wait, so they run on the caller's thread. */
final class MemoryBackend extends BlockingBackend {
    static final Set<Capability> CAPABILITIES =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.TRANSACTION, Capability.SHARED, Capability.DURABLE)));

    private static final BackendTraits TRAITS = BackendTraits.builder()
            .capabilities(CAPABILITIES)
            .repeatable(true)
            .tellsFirstDelivery(true)
            .build();

    private final MemoryStorage storage;
    private final long historyMillis;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates a backend.
     *
     * @param historyMillis how long consumed messages of queues without their own setting are kept, in milliseconds
     * @param onClose runs once, at the first close
     */
    MemoryBackend(MemoryStorage storage, long historyMillis, Runnable onClose) {
        super(Runnable::run);
        this.storage = storage;
        this.historyMillis = historyMillis;
        this.onClose = onClose;
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        long keepMillis = spec.historyMillis() > 0 ? spec.historyMillis() : historyMillis;
        return new MemoryQueue(this, storage, spec, keepMillis);
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        requireOpen(null);
        Map<String, Long> next = new HashMap<>();
        for (String queue : request.queues()) {
            MessageTable table = storage.findTable(queue);
            if (table != null) {
                next.put(queue, nextMillis(table));
            }
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(storage.clock.millis())
                .build();
    }

    private long nextMillis(MessageTable table) {
        table.lock.lock();
        try {
            long now = storage.clock.millis();
            table.advance(now);
            return table.view.nextMillis(now);
        } finally {
            table.lock.unlock();
        }
    }

    @Override
    protected List<String> queuesBlocking() {
        requireOpen(null);
        return storage.names();
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }

    void requireOpen(@Nullable String queue) {
        if (closed.get()) {
            throw new StorageException("the memory backend is closed", queue, null, null);
        }
    }
}
