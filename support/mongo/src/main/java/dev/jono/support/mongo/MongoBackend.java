package dev.jono.support.mongo;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BlockingBackend;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Base of the backends on MongoDB: traits, probes, and the names of queues, each of which is a collection. The engine
 * calls it; its calls run on the threads of the backend's executor and block them. Thread-safe.
 */
public abstract class MongoBackend extends BlockingBackend {
    /** Less than the 16 MiB of a document, because a payload may be longer as BSON than as JSON. */
    private static final long MAX_PAYLOAD_BYTES = 15L << 20;

    private static final int PROBES_PER_COMMAND = 100;

    private final MongoLink link;
    private final BackendTraits traits;

    /**
     * For subclasses.
     *
     * @param link the backend closes it
     * @param traits see {@link #traits(MongoLink, Set)}
     */
    protected MongoBackend(MongoLink link, PluginConfig config, BackendTraits traits) {
        super(config.executor());
        this.link = link;
        this.traits = traits;
    }

    /** The traits that all backends on MongoDB have. */
    protected static BackendTraits.Builder traits(MongoLink link, Set<Capability> capabilities) {
        return BackendTraits.builder()
                .capabilities(capabilities)
                .maxPayloadBytes(MAX_PAYLOAD_BYTES)
                .repeatable(link.replicated());
    }

    /** These capabilities without that of the application's transactions if the server has none. */
    protected static Set<Capability> withTransactions(MongoLink link, Set<Capability> capabilities) {
        Set<Capability> present = EnumSet.copyOf(capabilities);
        if (!link.replicated()) {
            present.remove(Capability.TRANSACTION);
        }
        return present;
    }

    /**
     * These capabilities without those that need transactions if the server has none, for backends that use
     * transactions.
     */
    protected static Set<Capability> movingInTransactions(MongoLink link, Set<Capability> capabilities) {
        Set<Capability> present = withTransactions(link, capabilities);
        if (!link.replicated()) {
            present.removeAll(Set.of(Capability.ATOMIC_MOVE, Capability.KEYED, Capability.DEDUPLICATE));
        }
        return present;
    }

    /** The connection. */
    protected final MongoLink link() {
        return link;
    }

    @Override
    public final BackendTraits traits() {
        return traits;
    }

    /**
     * Sends one command for several queues.
     *
     * @param queues at least one
     * @param pipeline the pipeline of the queues; null for the default one
     * @return by queue, the milliseconds until a message can be claimed; without the queues that have none
     */
    protected abstract Map<String, Long> nextMillis(List<String> queues, @Nullable String pipeline);

    @Override
    protected final ProbeResult probeBlocking(ProbeRequest request) {
        List<String> queues = List.copyOf(request.queues());
        Map<String, Long> next = new HashMap<>();
        for (int from = 0; from < queues.size(); from += PROBES_PER_COMMAND) {
            List<String> some = queues.subList(from, Math.min(queues.size(), from + PROBES_PER_COMMAND));
            next.putAll(nextMillis(some, request.pipeline()));
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(link.call("probe", null, false, () -> link.time().nowMillis()))
                .build();
    }

    @Override
    protected List<String> queuesBlocking() {
        return link.call("listing queues", null, false, () -> {
            Set<String> names = new TreeSet<>();
            for (BsonDocument collection : link.database().listCollections(BsonDocument.class)) {
                String name = collection.getString("name").getValue();
                if (collection.getString("type").getValue().equals("collection")
                        && !collection.getDocument("options").containsKey("capped")
                        && link.refuseCollection(name) == null) {
                    names.add(name);
                }
            }
            return List.copyOf(names);
        });
    }

    @Override
    public @Nullable String refuseName(String queue) {
        return link.refuseCollection(queue);
    }

    @Override
    public final Storage storage() {
        return link;
    }

    @Override
    public final void close() {
        link.close();
    }
}
