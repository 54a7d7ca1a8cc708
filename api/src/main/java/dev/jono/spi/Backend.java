package dev.jono.spi;

import dev.jono.Storage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A connection to a storage, which opens the storage's queues. Must be thread-safe. */
public interface Backend extends AutoCloseable {
    /** What this connection can do, and its limits. Constant while the connection is open. */
    BackendTraits traits();

    /**
     * Opens one queue. Must not block, and must be cheap, because a process may open ten thousand queues. Two stores of
     * one name are independent views of the same queue. A store holds nothing that must be closed.
     *
     * @param spec the name, already checked, and the options of the queue
     * @throws dev.jono.ConfigurationException if the pipeline in the options is not a valid name
     */
    QueueStore queue(QueueSpec spec);

    /**
     * Reports for many queues how long it is until each has a message to hand out, in as few calls to the storage as
     * possible. The engine calls it once per poll interval for all queues that have waiters, so a lost signal delays a
     * message by one poll interval at most.
     */
    CompletionStage<ProbeResult> probe(ProbeRequest request);

    /**
     * Lists the names of the queues that the storage knows, sorted. A storage that keeps no list of queues reports those
     * that hold messages.
     */
    CompletionStage<List<String>> queues();

    /**
     * Counts the messages of several queues, in as few calls to the storage as possible. By default each queue is counted by a call of
     * its own and all calls are made at once, which is good where the driver sends them in one round trip.
     *
     * @param queues at most twenty
     * @return the counts of each queue by its name, without those of histories; zeros for a queue that the storage does not know
     */
    default CompletionStage<Map<String, CountsResult>> counts(List<QueueSpec> queues) {
        Map<String, CompletableFuture<CountsResult>> calls = new LinkedHashMap<>();
        CountsRequest request = CountsRequest.builder().build();
        for (QueueSpec spec : queues) {
            calls.put(spec.name(), queue(spec).counts(request).toCompletableFuture());
        }
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, CountsResult> counts = new LinkedHashMap<>();
                    calls.forEach((name, call) -> counts.put(name, call.join()));
                    return counts;
                });
    }

    /**
     * Whether {@link QueueStore#move} can move messages from one queue to the other in one atomic step. The engine moves
     * in two steps where it cannot: it inserts the message, and then acks it.
     */
    default boolean movesAtomically(String fromQueue, String toQueue) {
        return traits().capabilities().contains(dev.jono.Capability.ATOMIC_MOVE);
    }

    /**
     * Whether this backend can publish the signals of this signaller itself, in the same round trip as the change; see
     * {@link InsertRequest#announce()}. The engine asks once per signaller.
     */
    default boolean carries(Signaller signaller) {
        return false;
    }

    /**
     * Whether {@link #probe} can also read the paused flags of this stats store, in the same call; see {@link
     * ProbeRequest#flags()}. The engine asks once per stats store.
     */
    default boolean carries(StatsStore stats) {
        return false;
    }

    /**
     * The connection, which the storage's own signaller and stats can share; null if there is nothing to share. The one
     * that opened the connection closes it: this backend, or the application that handed it in.
     */
    default @Nullable Storage storage() {
        return null;
    }

    /**
     * The pipeline of the queues whose {@linkplain QueueSpec#pipeline() options} name none. Null if queues are not
     * separated by pipeline.
     */
    default @Nullable String defaultPipeline() {
        return null;
    }

    /**
     * Runs a step of the engine after the current thread has read everything that has arrived from the storage, and has
     * sent the calls that were made meanwhile.
     *
     * <p>This is for a backend whose driver holds back calls until its reading thread has read all replies. With it, the
     * engine's next calls are sent before the engine handles the last replies.
     *
     * @return false if the current thread is not a reading thread, or holds nothing back; then the step is not run
     */
    default boolean afterReads(Runnable step) {
        return false;
    }

    /**
     * Checks the name of a queue beyond the common rules.
     *
     * @return the reason to refuse the name, in words; null to accept it
     */
    default @Nullable String refuseName(String queue) {
        return null;
    }

    /** Closes the connection, if this backend opened it. Idempotent. Calls in flight complete or fail. */
    @Override
    void close();
}
