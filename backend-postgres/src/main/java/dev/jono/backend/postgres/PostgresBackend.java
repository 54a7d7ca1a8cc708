package dev.jono.backend.postgres;

import dev.jono.Capability;
import dev.jono.JonoClock;
import dev.jono.Storage;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.CountsResult;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.support.postgres.Housekeeping;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RecentCalls;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The queues of one schema. Thread-safe. */
final class PostgresBackend extends BlockingBackend {
    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.allOf(Capability.class));

    private static final BackendTraits TRAITS = BackendTraits.builder()
            .capabilities(CAPABILITIES)
            .maxBatch(1000)
            .preferredBatch(1000)
            .maxPayloadBytes(Inserts.MAX_PAYLOAD_BYTES)
            .repeatable(true)
            .tellsFirstDelivery(true)
            .build();

    private final PostgresLink link;
    private final RecentCalls calls;
    private final Housekeeping housekeeping;
    private final JonoClock clock;
    private final LooksByName looks;

    PostgresBackend(PostgresLink link, PluginConfig config) {
        super(config.executor());
        this.link = link;
        this.clock = config.clock();
        this.looks = new LooksByName(clock::nanos);
        this.calls = new RecentCalls(link, config.clock()::nanos);
        this.housekeeping = new Housekeeping(link, config);
    }

    @Override
    public BackendTraits traits() {
        return TRAITS;
    }

    @Override
    protected BlockingQueueStore openBlocking(QueueSpec spec) {
        long history =
                spec.historyMillis() > 0 ? spec.historyMillis() : link.options().historyMillis();
        QueueView view = QueueView.of(spec, link.options().schema(), history, looks);
        return new PostgresQueueStore(link, view, calls, housekeeping, clock::nanos);
    }

    @Override
    protected ProbeResult probeBlocking(ProbeRequest request) {
        if (request.queues().isEmpty()) {
            return ProbeResult.builder().build();
        }
        housekeeping.runIfDue();
        return link.single("probe", null, false, tx -> Counts.probe(tx, List.copyOf(request.queues()), looks));
    }

    @Override
    protected Map<String, CountsResult> countsBlocking(List<QueueSpec> queues) {
        List<String> names = queues.stream().map(QueueSpec::name).toList();
        return link.single("counts", null, false, tx -> Counts.counts(tx, names, false));
    }

    @Override
    protected List<String> queuesBlocking() {
        return link.single("listing queues", null, false, Queues::names);
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
