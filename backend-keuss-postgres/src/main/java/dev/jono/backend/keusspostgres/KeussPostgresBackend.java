package dev.jono.backend.keusspostgres;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.support.postgres.Housekeeping;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RecentCalls;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The tables of queues in one schema. Thread-safe. */
final class KeussPostgresBackend extends BlockingBackend {
    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.SCHEDULE,
            Capability.RESERVE,
            Capability.MOVE,
            Capability.ATOMIC_MOVE,
            Capability.REMOVE,
            Capability.DELETE,
            Capability.BROWSE,
            Capability.TRANSACTION,
            Capability.SHARED,
            Capability.DURABLE));

    private static final BackendTraits TRAITS = BackendTraits.builder()
            .capabilities(CAPABILITIES)
            .maxBatch(1000)
            .preferredBatch(1000)
            .maxPayloadBytes(Inserts.MAX_PAYLOAD_BYTES)
            .repeatable(true)
            .build();

    private final PostgresLink link;
    private final Tables tables;
    private final RecentCalls calls;
    private final Housekeeping housekeeping;

    KeussPostgresBackend(PostgresLink link, String schema, PluginConfig config) {
        super(config.executor());
        this.link = link;
        this.tables = new Tables(link, schema);
        this.calls = new RecentCalls(link, config.clock()::nanos);
        this.housekeeping = new Housekeeping(link, config);
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        return new KeussQueueStore(link, spec.name(), tables, calls, housekeeping);
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        if (request.queues().isEmpty()) {
            return ProbeResult.builder().build();
        }
        housekeeping.runIfDue();
        return link.single("probe", null, false, tx -> new Probe(tx, tables).run(request.queues()));
    }

    @Override
    protected List<String> queuesBlocking() {
        return link.single("listing queues", null, false, tables::names);
    }

    @Override
    public Storage storage() {
        return link;
    }

    @Override
    public void close() {
        link.close();
    }
}
