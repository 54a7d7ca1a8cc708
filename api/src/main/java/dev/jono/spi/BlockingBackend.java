package dev.jono.spi;

import dev.jono.Tx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A base class for backends whose driver blocks. A subclass opens {@link BlockingQueueStore}s, and this class runs their
 * calls on an executor. That is {@link PluginConfig#executor()} as a rule: threads of the factory, virtual threads if the
 * JVM has them.
 */
public abstract class BlockingBackend implements Backend {
    private final Executor executor;

    /**
     * A backend, for subclasses.
     *
     * @param executor runs the driver's calls; {@code Runnable::run} if no call ever waits
     */
    public BlockingBackend(Executor executor) {
        this.executor = executor;
    }

    /** Opens one queue; see {@link Backend#queue}. Must not block: only calls use the storage. */
    protected abstract BlockingQueueStore openBlocking(QueueSpec spec);

    /**
     * See {@link Backend#probe}; may block. Reads no paused flags, unless the subclass also overrides {@link
     * Backend#carries(StatsStore)}.
     */
    protected abstract ProbeResult probeBlocking(ProbeRequest request);

    /** See {@link Backend#queues}; may block. */
    protected abstract List<String> queuesBlocking();

    /** See {@link Backend#counts}; may block. Counts one queue after the other, so that it needs one thread and one connection. */
    protected Map<String, CountsResult> countsBlocking(List<QueueSpec> queues) {
        CountsRequest request = CountsRequest.builder().build();
        Map<String, CountsResult> counts = new LinkedHashMap<>();
        for (QueueSpec spec : queues) {
            counts.put(spec.name(), openBlocking(spec).counts(request));
        }
        return counts;
    }

    @Override
    public final QueueStore queue(QueueSpec spec) {
        return new Adapter(openBlocking(spec), executor);
    }

    @Override
    public final CompletionStage<ProbeResult> probe(ProbeRequest request) {
        return on(executor, () -> probeBlocking(request));
    }

    @Override
    public final CompletionStage<Map<String, CountsResult>> counts(List<QueueSpec> queues) {
        return on(executor, () -> countsBlocking(queues));
    }

    @Override
    public final CompletionStage<List<String>> queues() {
        return on(executor, this::queuesBlocking);
    }

    private static <R> CompletionStage<R> on(Executor executor, Supplier<R> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(call.get());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        };
        try {
            executor.execute(task);
        } catch (RuntimeException | Error refused) {
            result.completeExceptionally(refused);
        }
        return result;
    }

    private static final class Adapter implements QueueStore {
        private final BlockingQueueStore store;
        private final Executor executor;

        Adapter(BlockingQueueStore store, Executor executor) {
            this.store = store;
            this.executor = executor;
        }

        @Override
        public CompletionStage<InsertResult> insert(InsertRequest request) {
            return on(executor, () -> store.insert(request));
        }

        @Override
        public InsertResult insertInto(Tx tx, InsertRequest request) {
            return store.insertInto(tx, request);
        }

        @Override
        public CompletionStage<ClaimResult> take(ClaimRequest request) {
            return on(executor, () -> store.take(request));
        }

        @Override
        public CompletionStage<InsertResult> restore(RestoreRequest request) {
            return on(executor, () -> store.restore(request));
        }

        @Override
        public CompletionStage<ClaimResult> claim(ClaimRequest request) {
            return on(executor, () -> store.claim(request));
        }

        @Override
        public CompletionStage<SettleResult> ack(SettleRequest request) {
            return on(executor, () -> store.ack(request));
        }

        @Override
        public CompletionStage<SettleResult> release(ReleaseRequest request) {
            return on(executor, () -> store.release(request));
        }

        @Override
        public CompletionStage<SettleResult> extend(ExtendRequest request) {
            return on(executor, () -> store.extend(request));
        }

        @Override
        public CompletionStage<SettleResult> move(MoveRequest request) {
            return on(executor, () -> store.move(request));
        }

        @Override
        public CompletionStage<Void> makeKeyed() {
            return on(executor, () -> {
                store.makeKeyed();
                return null;
            });
        }

        @Override
        public CompletionStage<RemoveResult> remove(RemoveRequest request) {
            return on(executor, () -> store.remove(request));
        }

        @Override
        public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
            return on(executor, () -> store.reschedule(request));
        }

        @Override
        public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
            return on(executor, () -> store.moveIdle(request));
        }

        @Override
        public CompletionStage<Boolean> forget(ForgetRequest request) {
            return on(executor, () -> store.forget(request));
        }

        @Override
        public CompletionStage<BrowseResult> browse(BrowseRequest request) {
            return on(executor, () -> store.browse(request));
        }

        @Override
        public CompletionStage<CountsResult> counts(CountsRequest request) {
            return on(executor, () -> store.counts(request));
        }

        @Override
        public CompletionStage<Long> purge() {
            return on(executor, store::purge);
        }

        @Override
        public CompletionStage<DeleteResult> delete(DeleteRequest request) {
            return on(executor, () -> store.delete(request));
        }
    }
}
