package dev.jono.testkit;

import dev.jono.Capability;
import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signaller;
import dev.jono.spi.StatsStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A backend that forwards all calls to another one. Subclasses override some of them. Many queues are counted by their {@linkplain #queue
 * stores}, which subclasses may have replaced.
 */
public class ForwardingBackend implements Backend {
    private final Backend delegate;

    /** Forwards to this backend. */
    public ForwardingBackend(Backend delegate) {
        this.delegate = delegate;
    }

    /** The backend that gets the calls. */
    protected final Backend delegate() {
        return delegate;
    }

    @Override
    public BackendTraits traits() {
        return delegate.traits();
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return delegate.queue(spec);
    }

    @Override
    public CompletionStage<ProbeResult> probe(ProbeRequest request) {
        return delegate.probe(request);
    }

    @Override
    public CompletionStage<List<String>> queues() {
        return delegate.queues();
    }

    @Override
    public @Nullable String defaultPipeline() {
        return delegate.defaultPipeline();
    }

    /** As in the other backend, but {@code false} if {@link #traits()} excludes atomic moves. */
    @Override
    public boolean movesAtomically(String fromQueue, String toQueue) {
        return traits().capabilities().contains(Capability.ATOMIC_MOVE) && delegate.movesAtomically(fromQueue, toQueue);
    }

    @Override
    public boolean carries(Signaller signaller) {
        return delegate.carries(signaller);
    }

    @Override
    public boolean carries(StatsStore stats) {
        return delegate.carries(stats);
    }

    @Override
    public boolean afterReads(Runnable step) {
        return delegate.afterReads(step);
    }

    @Override
    public @Nullable Storage storage() {
        return delegate.storage();
    }

    @Override
    public @Nullable String refuseName(String queue) {
        return delegate.refuseName(queue);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
