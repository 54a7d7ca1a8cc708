package dev.jono.internal.worker;

import dev.jono.BatchHandler;
import dev.jono.Capability;
import dev.jono.Durations;
import dev.jono.Handler;
import dev.jono.MessageQueue;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a worker, and starts it. Used by one thread of the application. */
public final class WorkerBuilderImpl implements WorkerBuilder {
    private final EngineContext context;
    private final Workers workers;
    private final List<WorkerSource.Spec<?>> specs = new ArrayList<>();
    private String name = "worker";
    private int concurrency = 1;
    private int prefetch;
    private @Nullable Duration lease;
    private Duration maxRuntime = Duration.ofHours(1);
    private @Nullable Executor executor;
    private boolean strictOrder;

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
        if (messages < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: " + messages);
        }
        this.concurrency = messages;
        return this;
    }

    @Override
    public WorkerBuilder prefetch(int messages) {
        if (messages < 0) {
            throw new IllegalArgumentException("prefetch must not be negative: " + messages);
        }
        this.prefetch = messages;
        return this;
    }

    @Override
    public WorkerBuilder lease(Duration value) {
        if (Durations.check(value, "lease").toMillis() < 1) {
            throw new IllegalArgumentException("lease must be at least a millisecond: " + Durations.format(value));
        }
        this.lease = value;
        return this;
    }

    @Override
    public WorkerBuilder maxRuntime(Duration value) {
        if (Durations.check(value, "maxRuntime").toMillis() < 1) {
            throw new IllegalArgumentException("maxRuntime must be at least a millisecond: " + Durations.format(value));
        }
        this.maxRuntime = value;
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
    public <T> WorkerBuilder from(MessageQueue<T> queue, int weight, Handler<T> handler) {
        return add(queue, weight, 1, batch -> handler.handle(batch.get(0).payload(), batch.get(0)));
    }

    @Override
    public <T> WorkerBuilder fromBatch(MessageQueue<T> queue, int max, BatchHandler<T> handler) {
        if (max < 1) {
            throw new IllegalArgumentException("the size of a batch must be at least 1: " + max);
        }
        return add(queue, 1, max, handler);
    }

    private <T> WorkerBuilder add(MessageQueue<T> queue, int weight, int batch, BatchHandler<T> handler) {
        if (weight < 1) {
            throw new IllegalArgumentException("weight must be at least 1: " + weight);
        }
        if (!(queue instanceof QueueImpl<T> ours) || ours.handle.context != context) {
            throw new IllegalArgumentException("queue '" + queue.name() + "' is of another factory than the worker");
        }
        context.require(Capability.RESERVE, "worker", queue.name());
        specs.add(new WorkerSource.Spec<>(ours, weight, batch, handler));
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
                new WorkerSettings(name, concurrency, prefetch, lease, maxRuntime, strictOrder),
                executor,
                specs);
        worker.start();
        return worker;
    }
}
