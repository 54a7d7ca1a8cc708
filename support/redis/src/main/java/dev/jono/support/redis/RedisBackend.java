package dev.jono.support.redis;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.Signaller;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the backends on Redis have in common. */
public abstract class RedisBackend implements Backend {
    /** So many bytes end a batch that is read, so that no reply and no script grows with the size of the payloads. */
    public static final long MAX_READ_BYTES = 4L << 20;

    /** Redis takes strings of 512 MiB at most, and Lua copies them: base64 makes four bytes of three. */
    private static final long MAX_PAYLOAD_BYTES = 64L << 20;

    private static final int PROBES_PER_CALL = 1000;

    private final RedisLink link;
    private final String namespace;
    private final BackendTraits traits;
    private final String beginning;
    private final Script probe;

    /**
     * For subclasses.
     *
     * @param link to be closed with this
     * @param traits see {@link #traits(Set, int)}
     * @param beginning of the key that is there while a queue holds something; the queue's name follows
     * @param probe a script that answers the time, then for each of its keys, which begin so, how many milliseconds
     *     until it has something, -1 for never
     */
    protected RedisBackend(RedisLink link, String namespace, BackendTraits traits, String beginning, Script probe) {
        this.link = link;
        this.namespace = namespace;
        this.traits = traits;
        this.beginning = beginning;
        this.probe = probe;
    }

    /**
     * The traits of a backend on Redis.
     *
     * @param maxBatch how many messages one script works on
     */
    protected static BackendTraits traits(Set<Capability> capabilities, int maxBatch) {
        return BackendTraits.builder()
                .capabilities(capabilities)
                .maxBatch(maxBatch)
                .maxBatchBytes(MAX_READ_BYTES)
                .maxPayloadBytes(MAX_PAYLOAD_BYTES)
                .repeatable(true)
                .build();
    }

    @Override
    public final BackendTraits traits() {
        return traits;
    }

    /** The connection. */
    public final RedisLink link() {
        return link;
    }

    /** Separates signals. */
    public final String namespace() {
        return namespace;
    }

    @Override
    public final CompletionStage<ProbeResult> probe(Collection<String> queues) {
        List<String> names = List.copyOf(queues);
        // On a Cluster each queue may be on a node of its own; elsewhere one script looks at many.
        int step = link.cluster() ? 1 : PROBES_PER_CALL;
        List<List<String>> parts = new ArrayList<>();
        List<CompletableFuture<List<Object>>> answers = new ArrayList<>();
        for (int from = 0; from < names.size(); from += step) {
            List<String> part = names.subList(from, Math.min(names.size(), from + step));
            byte[][] keys = part.stream()
                    .map(queue -> link.keys().key(beginning + link.keys().stored(queue)))
                    .toArray(byte[][]::new);
            parts.add(part);
            answers.add(link.look(probe, part.size() == 1 ? part.get(0) : null, keys));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> probed(parts, answers));
    }

    private static ProbeResult probed(List<List<String>> parts, List<CompletableFuture<List<Object>>> answers) {
        Map<String, Long> next = new HashMap<>();
        long latest = 0;
        for (int i = 0; i < parts.size(); i++) {
            List<Object> answer = answers.get(i).join();
            latest = Math.max(latest, Replies.number(answer.get(0)));
            for (int k = 0; k < parts.get(i).size(); k++) {
                long wait = Replies.number(answer.get(k + 1));
                if (wait >= 0) {
                    next.put(parts.get(i).get(k), wait);
                }
            }
        }
        return ProbeResult.builder().nextMillis(next).storageMillis(latest).build();
    }

    @Override
    public final CompletionStage<List<String>> queues() {
        return QueueNames.find(link, beginning);
    }

    @Override
    public final boolean carries(Signaller signaller) {
        return signaller instanceof SignalCarrier carrier && carrier.publishesOn(link, namespace);
    }

    @Override
    public final @Nullable String refuseName(String queue) {
        return link.keys().refuseName(queue);
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
