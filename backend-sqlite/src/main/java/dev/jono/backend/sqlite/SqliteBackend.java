package dev.jono.backend.sqlite;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.CountsResult;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signaller;
import dev.jono.spi.SteadyClock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The backend of one factory: the queues of one file. Thread-safe. */
final class SqliteBackend implements Backend {
    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.allOf(Capability.class));

    private static final BackendTraits TRAITS = BackendTraits.builder()
            .capabilities(CAPABILITIES)
            .maxBatch(1000)
            .preferredBatch(1000)
            .maxPayloadBytes(Inserts.MAX_PAYLOAD_BYTES)
            .tellsFirstDelivery(true)
            .build();

    private final FileHandle handle;
    private final SteadyClock clock;
    private final Executor executor;
    private final String namespace;
    private final long historyMillis;

    SqliteBackend(PluginConfig config, Options options) {
        this.handle = FileHandle.open(config, options);
        this.clock = handle.file().storageClock(config.clock());
        this.executor = config.executor();
        this.namespace = config.namespace();
        this.historyMillis = options.historyMillis();
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        long history = spec.historyMillis() > 0 ? spec.historyMillis() : historyMillis;
        return new SqliteQueueStore(handle.file(), QueueView.of(spec, namespace, history, clock), executor);
    }

    @Override
    public CompletionStage<ProbeResult> probe(ProbeRequest request) {
        SharedFile file = handle.file();
        return file.read(executor, connection -> Counts.probe(connection, request.queues(), clock.millis()));
    }

    @Override
    public CompletionStage<Map<String, CountsResult>> counts(List<QueueSpec> queues) {
        SharedFile file = handle.file();
        return file.read(executor, connection -> Counts.counts(connection, queues, clock.millis()));
    }

    @Override
    public CompletionStage<List<String>> queues() {
        return handle.file().read(executor, Counts::queueNames);
    }

    @Override
    public boolean carries(Signaller signaller) {
        return signaller instanceof SqliteSignaller other && other.receivesFrom(handle.file(), namespace);
    }

    @Override
    public Storage storage() {
        return handle;
    }

    @Override
    public void close() {
        handle.close();
    }
}
