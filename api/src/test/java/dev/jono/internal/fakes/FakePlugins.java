package dev.jono.internal.fakes;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Counter;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.spi.StatsStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Plugins that do nothing, to be overridden where a test needs more. */
public final class FakePlugins {
    private FakePlugins() {}

    /** A backend that has traits, and nothing else. */
    static final class NoBackend implements Backend {
        private final BackendTraits traits;

        NoBackend(int maxBatch) {
            this.traits = BackendTraits.builder()
                    .capabilities(Set.of(Capability.RESERVE))
                    .maxBatch(maxBatch)
                    .preferredBatch(1) // nothing waits for callbacks, whose clock is the host's: see GatheringTest
                    .maxConcurrentInserts(2)
                    .build();
        }

        @Override
        public BackendTraits traits() {
            return traits;
        }

        @Override
        public QueueStore queue(QueueSpec spec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ProbeResult> probe(ProbeRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<String>> queues() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** A signaller whose signals are told by hand, to whoever listens then. */
    public static class Ear implements Signaller {
        private volatile @Nullable Listener listening;

        public final void tell(Signal signal) {
            Listener listener = listening;
            if (listener != null) {
                listener.onSignal(signal);
            }
        }

        @Override
        public CompletionStage<Void> publish(Signal signal) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public Subscription subscribe(String queue, Listener listener) {
            listening = listener;
            return () -> {
                if (listener.equals(listening)) {
                    listening = null;
                }
            };
        }

        @Override
        public void close() {}
    }

    /** Stats that can do nothing; what a model needs it adds. */
    public static class NoStats implements StatsStore {
        @Override
        public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Set<String>> paused(Collection<String> queues) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Map<Counter, Long>> read(String queue) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> clear(String queue) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> setPaused(String queue, boolean paused) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Set<String>> queues() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** A store that can do nothing; what a model needs it adds. */
    public static class NoStore implements QueueStore {
        @Override
        public CompletionStage<InsertResult> insert(InsertRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ClaimResult> take(ClaimRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<InsertResult> restore(RestoreRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ClaimResult> claim(ClaimRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<SettleResult> ack(SettleRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<SettleResult> release(ReleaseRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<SettleResult> extend(ExtendRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<SettleResult> move(MoveRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<RemoveResult> remove(RemoveRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<BrowseResult> browse(BrowseRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<CountsResult> counts(CountsRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Long> purge() {
            throw new UnsupportedOperationException();
        }
    }
}
