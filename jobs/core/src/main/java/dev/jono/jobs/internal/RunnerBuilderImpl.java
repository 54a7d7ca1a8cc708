package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a runner, and starts it. Used by one thread of the application. */
final class RunnerBuilderImpl implements JobRunnerBuilder {
    private final Jobs jobs;
    private final JobsContext context;
    private final Watch watch;
    private final PermitBook permits;
    private final Map<String, TypeHandler<?, ?>> handlers = new LinkedHashMap<>();
    private int concurrency = 1;
    private @Nullable String name;
    private @Nullable Duration lease;
    private boolean strictPriorities;
    private @Nullable Runnable onIdle;

    RunnerBuilderImpl(Jobs jobs, JobsContext context, Watch watch, PermitBook permits) {
        this.jobs = jobs;
        this.context = context;
        this.watch = watch;
        this.permits = permits;
    }

    @Override
    public JobRunnerBuilder concurrency(int jobs) {
        if (jobs < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: " + jobs);
        }
        this.concurrency = jobs;
        return this;
    }

    @Override
    public JobRunnerBuilder name(String value) {
        this.name = Objects.requireNonNull(value, "name");
        return this;
    }

    @Override
    public JobRunnerBuilder lease(Duration value) {
        this.lease = Durations.positive(value, "lease");
        return this;
    }

    @Override
    public JobRunnerBuilder strictPriorities() {
        this.strictPriorities = true;
        return this;
    }

    @Override
    public <P, R> JobRunnerBuilder handle(JobType<P, R> type, JobHandler<? super P, ? extends R> handler) {
        return add(TypeHandler.single(type, Objects.requireNonNull(handler, "handler")));
    }

    @Override
    public <P, R> JobRunnerBuilder handleBatch(JobType<P, R> type, int max, JobBatchHandler<P, R> handler) {
        if (max < 1) {
            throw new IllegalArgumentException("the size of a batch must be at least 1: " + max);
        }
        return add(new TypeHandler<>(type, max, Objects.requireNonNull(handler, "handler")));
    }

    private JobRunnerBuilder add(TypeHandler<?, ?> added) {
        String name = added.type().name();
        if (handlers.putIfAbsent(name, added) != null) {
            throw new IllegalArgumentException("job type '" + name + "' has a handler already");
        }
        return this;
    }

    @Override
    public JobRunnerBuilder onIdle(Runnable callback) {
        this.onIdle = Objects.requireNonNull(callback, "callback");
        return this;
    }

    @Override
    public JobRunner start() {
        checkHandlers();
        return start(onIdle);
    }

    private void checkHandlers() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("the runner has no handler");
        }
        for (TypeHandler<?, ?> handler : handlers.values()) {
            if (handler.max() > concurrency) {
                throw new IllegalArgumentException("a batch of " + handler.max() + " jobs of type '"
                        + handler.type().name() + "' is more than the concurrency of " + concurrency);
            }
        }
    }

    private RunnerImpl start(@Nullable Runnable whenIdle) {
        String chosen = name == null ? ThisProcess.name() : name;
        return new RunnerImpl(
                context,
                watch,
                permits,
                new RunnerSettings(
                        jobs, chosen, concurrency, lease, strictPriorities, whenIdle, List.copyOf(handlers.values())));
    }

    /** Due schedules come first, because the first look could find nothing else. */
    @Override
    public boolean runUntilIdle(Duration timeout) throws InterruptedException {
        Durations.check(timeout, "timeout");
        checkHandlers();
        watch.lookAtSchedules();
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean called = new AtomicBoolean();
        Runnable before = onIdle;
        RunnerImpl runner = start(() -> {
            called.set(true);
            over.countDown();
            if (before != null) {
                before.run();
            }
        });
        boolean idle = false;
        try {
            Answers.await(over, context.clock, timeout.toNanos());
            idle = called.get() || runner.isIdle();
            return idle;
        } finally {
            runner.stop(idle ? context.jono.operationTimeout() : Duration.ZERO);
        }
    }
}
