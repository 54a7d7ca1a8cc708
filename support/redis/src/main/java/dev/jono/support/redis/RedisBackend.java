package dev.jono.support.redis;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.Signaller;
import dev.jono.spi.StatsStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Base of the backends on Redis: traits, probes, names of queues, and signals and stats in the round trips of calls. */
public abstract class RedisBackend implements Backend {
    /** A script stops reading messages beyond this size, so that no script and no reply grows with the payloads. */
    public static final long MAX_READ_BYTES = 4L << 20;

    /** Redis limits strings to 512 MiB, and Lua copies them. Base64 enlarges a payload by a third. */
    private static final long MAX_PAYLOAD_BYTES = 64L << 20;

    private static final int PROBES_PER_CALL = 500;

    private static final byte[] PAUSED = RedisKeys.bytes("true");

    private final RedisLink link;
    private final String namespace;
    private final BackendTraits traits;
    private final List<String> keyStarts;
    private final Script probe;

    /**
     * For subclasses.
     *
     * @param link the backend closes it
     * @param traits see {@link #traits(Set, int)}
     * @param keyStarts how the keys begin that a probe reads, followed by the queue's name. The first one exists while a queue
     *     has messages
     * @param probe a script. Its keys are the first ones of queues, the second ones if there are any, then those of stats; its
     *     argument is the number of queues. It answers
     *     the time; for each queue the milliseconds until a message is due, -1 for never; for each hash of stats the field
     *     {@code paused}
     */
    protected RedisBackend(
            RedisLink link, String namespace, BackendTraits traits, List<String> keyStarts, Script probe) {
        this.link = link;
        this.namespace = namespace;
        this.traits = traits;
        this.keyStarts = List.copyOf(keyStarts);
        this.probe = probe;
    }

    /**
     * The traits that all backends on Redis have.
     *
     * @param maxBatch how many messages one call works on
     */
    protected static BackendTraits.Builder traits(Set<Capability> capabilities, int maxBatch) {
        return BackendTraits.builder()
                .capabilities(capabilities)
                .maxBatch(maxBatch)
                .maxBatchBytes(MAX_READ_BYTES)
                .maxPayloadBytes(MAX_PAYLOAD_BYTES)
                .repeatable(true);
    }

    @Override
    public final BackendTraits traits() {
        return traits;
    }

    /** The connection. */
    public final RedisLink link() {
        return link;
    }

    /** The namespace of signals and stats. */
    public final String namespace() {
        return namespace;
    }

    @Override
    public final CompletionStage<ProbeResult> probe(ProbeRequest request) {
        List<String> names = List.copyOf(request.queues());
        // On a Cluster each queue may be on another node. Otherwise one script probes many queues.
        int step = link.cluster() ? 1 : PROBES_PER_CALL;
        List<CompletableFuture<Probed>> parts = new ArrayList<>();
        for (int from = 0; from < names.size(); from += step) {
            List<String> part = names.subList(from, Math.min(names.size(), from + step));
            List<String> flags = part.stream().filter(request.flags()::contains).toList();
            Stream<byte[]> keys = Stream.concat(
                    keyStarts.stream()
                            .flatMap(start -> part.stream()
                                    .map(queue ->
                                            link.keys().key(start + link.keys().stored(queue)))),
                    flags.stream().map(queue -> link.keys().stats(namespace, queue)));
            parts.add(link.probe(
                            probe,
                            part.size() == 1 ? part.get(0) : null,
                            keys.toArray(byte[][]::new),
                            RedisKeys.bytes(Integer.toString(part.size())))
                    .thenApply(answer -> new Probed(part, flags, answer)));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(done -> probed(parts));
    }

    /** The queues of one probe script, those whose paused flags it reads, and its answer. */
    private record Probed(List<String> queues, List<String> flags, List<Object> answer) {}

    private static ProbeResult probed(List<CompletableFuture<Probed>> parts) {
        Map<String, Long> next = new HashMap<>();
        Set<String> paused = new HashSet<>();
        long latest = 0;
        for (CompletableFuture<Probed> part : parts) {
            Probed one = part.join();
            Iterator<Object> answer = one.answer().iterator();
            latest = Math.max(latest, Replies.number(answer.next()));
            for (String queue : one.queues()) {
                long wait = Replies.number(answer.next());
                if (wait >= 0) {
                    next.put(queue, wait);
                }
            }
            for (String queue : one.flags()) {
                if (Arrays.equals(PAUSED, (byte[]) answer.next())) {
                    paused.add(queue);
                }
            }
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(latest)
                .paused(paused)
                .build();
    }

    @Override
    public final CompletionStage<List<String>> queues() {
        return KeyScan.names(link, keyStarts.get(0)).thenApply(List::copyOf);
    }

    @Override
    public final boolean carries(Signaller signaller) {
        return carries((Object) signaller);
    }

    /** Not on a Cluster: a queue and its paused flag are in different slots, and a script reaches only one. */
    @Override
    public final boolean carries(StatsStore stats) {
        return !link.cluster() && carries((Object) stats);
    }

    private boolean carries(Object companion) {
        return companion instanceof Piggyback carried && carried.worksOn(link, namespace);
    }

    @Override
    public final boolean afterReads(Runnable step) {
        return ReadPhase.runAfterRead(step);
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
