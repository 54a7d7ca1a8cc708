package dev.jono.spi;

import dev.jono.Storage;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An opened connection to a storage, from which queues are opened. Thread-safe. */
public interface Backend extends AutoCloseable {
    /** What this connection can do, and its limits. */
    BackendTraits traits();

    /**
     * Opens one queue. Must not block and must be cheap: a process may open ten thousand. Two handles of one name
     * are independent views of the same queue; a handle holds nothing that needs closing.
     */
    QueueStore queue(QueueSpec spec);

    /**
     * For each of many queues, how long until it has something to hand out, in as few calls to the storage as it
     * allows. This is the safety net under lost signals, called once per poll interval for all queues that
     * somebody waits on.
     */
    CompletionStage<ProbeResult> probe(ProbeRequest request);

    /** The names of the queues that the storage knows, sorted; where it keeps no list, of those that hold something. */
    CompletionStage<List<String>> queues();

    /** Whether {@link QueueStore#move} can move from one queue into the other in one atomic step. */
    default boolean movesAtomically(String fromQueue, String toQueue) {
        return traits().capabilities().contains(dev.jono.Capability.ATOMIC_MOVE);
    }

    /**
     * Whether this backend can publish the signals of this signaller itself, in the same round trip as the change
     * (see {@link InsertRequest#announce()}). The engine asks once.
     */
    default boolean carries(Signaller signaller) {
        return false;
    }

    /**
     * Whether {@link #probe} can also tell the paused flags that this store keeps, in the same call (see
     * {@link ProbeRequest#flags()}). The engine asks once.
     */
    default boolean carries(StatsStore stats) {
        return false;
    }

    /**
     * The connection, for the natural signaller and stats to share; null when there is nothing to share. Who
     * opened it closes it.
     */
    default @Nullable Storage storage() {
        return null;
    }

    /**
     * The pipeline of queues whose {@linkplain QueueSpec#pipeline() options} name none; null where queues are not kept apart by
     * pipeline. A name in such an option that cannot be is refused by {@link #queue} with a {@link dev.jono.ConfigurationException}.
     */
    default @Nullable String defaultPipeline() {
        return null;
    }

    /**
     * Runs a step of the engine's when this thread has read what has come from the storage, and what was sent meanwhile has
     * left. Where a thread that reads holds back what it is to send until it has read all, the engine so lets the next calls
     * leave before it deals with what the last ones brought.
     *
     * @return false where this thread reads nothing, or holds nothing back: then the step is not run
     */
    default boolean afterReads(Runnable step) {
        return false;
    }

    /** A check of a queue's name beyond the common rules: a reason to refuse it, or null. */
    default @Nullable String refuseName(String queue) {
        return null;
    }

    /** Ends the connection if this backend made it. Idempotent; calls under way end with an error or complete. */
    @Override
    void close();
}
