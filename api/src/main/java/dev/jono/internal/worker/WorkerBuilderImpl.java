package dev.jono.internal.worker;

import dev.jono.BatchHandler;
import dev.jono.Capability;
import dev.jono.Durations;
import dev.jono.Handler;
import dev.jono.MessageQueue;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.internal.concurrent.Arguments;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.ClaimGate;
import dev.jono.spi.ConnectedWorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a worker, and starts it. Used by one thread of the application. */
public final class WorkerBuilderImpl implements ConnectedWorkerBuilder {
    private final EngineContext context;
    private final Workers workers;
    private final List<WorkerSource.Spec<?>> specs = new ArrayList<>();
    private String name = "worker";
    private int concurrency = 1;
    private int maxHandlers = WorkerSettings.NO_LIMIT;
    private int prefetch;
    private @Nullable Duration lease;
    private Duration maxRuntime = Duration.ofHours(1);
    private @Nullable Executor executor;
    private boolean strictOrder;
    private BinaryOperator<String> messageNames = (queue, id) -> "message " + id + " of queue '" + queue + "'";

    public WorkerBuilderImpl(EngineContext context, Workers workers) {
        this.context = context;
        this.workers = workers;
    }

    @Override
    public WorkerBuilder name(String value) {
        this.name = value;
        return this;
    }

    @Override
    public WorkerBuilder concurrency(int messages) {
        this.concurrency = Arguments.atLeast(1, messages, "concurrency");
        return this;
    }

    @Override
    public WorkerBuilder maxHandlers(int handlers) {
        this.maxHandlers = Arguments.atLeast(1, handlers, "maxHandlers");
        return this;
    }

    @Override
    public WorkerBuilder prefetch(int messages) {
        this.prefetch = Arguments.atLeast(0, messages, "prefetch");
        return this;
    }

    @Override
    public WorkerBuilder lease(Duration value) {
        this.lease = Durations.positive(value, "lease");
        return this;
    }

    @Override
    public WorkerBuilder maxRuntime(Duration value) {
        this.maxRuntime = Durations.positive(value, "maxRuntime");
        return this;
    }

    @Override
    public WorkerBuilder executor(Executor value) {
        this.executor = value;
        return this;
    }

    @Override
    public WorkerBuilder strictOrder() {
        this.strictOrder = true;
        return this;
    }

    @Override
    public ConnectedWorkerBuilder messageNames(BinaryOperator<String> names) {
        this.messageNames = names;
        return this;
    }

    @Override
    public <T> WorkerBuilder from(MessageQueue<T> queue, int weight, Handler<T> handler) {
        return from(
                queue,
                weight,
                1,
                ClaimGate.OPEN,
                batch -> handler.handle(batch.get(0).payload(), batch.get(0)));
    }

    @Override
    public <T> WorkerBuilder fromBatch(MessageQueue<T> queue, int max, BatchHandler<T> handler) {
        return from(queue, 1, max, ClaimGate.OPEN, handler);
    }

    @Override
    public <T> ConnectedWorkerBuilder from(
            MessageQueue<T> queue, int weight, int max, ClaimGate gate, BatchHandler<T> handler) {
        Arguments.atLeast(1, weight, "weight");
        Arguments.atLeast(1, max, "the size of a batch");
        if (!(queue.unwrapped() instanceof QueueImpl<T> ours) || ours.handle.context != context) {
            throw new IllegalArgumentException("queue '" + queue.name() + "' is of another factory than the worker");
        }
        context.require(Capability.RESERVE, "worker", queue.name());
        specs.add(new WorkerSource.Spec<>(ours, weight, max, gate, handler));
        return this;
    }

    @Override
    public Worker start() {
        if (specs.isEmpty()) {
            throw new IllegalStateException("worker '" + name + "' has no queue");
        }
        for (WorkerSource.Spec<?> spec : specs) {
            if (spec.batch() > concurrency) {
                throw new IllegalArgumentException("worker '" + name + "': a batch of " + spec.batch() + " from queue '"
                        + spec.queue().name() + "' is more than the concurrency of " + concurrency);
            }
        }
        context.requireOpen(specs.get(0).queue().name());
        WorkerImpl worker = new WorkerImpl(
                context,
                workers,
                new WorkerSettings(
                        name, concurrency, maxHandlers, prefetch, lease, maxRuntime, strictOrder, messageNames),
                executor,
                specs);
        worker.start();
        return worker;
    }
}
