package dev.jono.jobs.internal;

import dev.jono.Codec;
import dev.jono.Durations;
import dev.jono.JonoClock;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import dev.jono.jobs.JobRunner;
import dev.jono.spi.ConnectedWorkerBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker on the queues of some types. Thread-safe. */
final class RunnerImpl implements JobRunner {
    /** Interrupted handlers get this time before the worker gives their messages back. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** The maximum time for which a stop waits until the other processes can know of it. */
    private static final int REMOVAL_SECONDS = 5;

    /** The length of a lease if neither the runner nor the factory sets one. */
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private final JobsContext context;
    private final Watch watch;
    private final Worker worker;
    private final RunnerReport report;
    private final List<TypeGate> gates;
    private final IdleWatch idle;
    private final RunnerRuns runs;

    RunnerImpl(JobsContext context, Watch watch, PermitBook permits, RunnerSettings settings) {
        this.context = context;
        this.watch = watch;
        this.idle = new IdleWatch(context, settings.types(), settings.onIdle());
        HandlerSlots slots = new HandlerSlots(settings.concurrency());
        this.runs = new RunnerRuns(slots, idle::begin);
        ConnectedWorkerBuilder builder = context.jono.worker();
        builder.name(settings.name())
                .concurrency(withEnds(settings.concurrency()))
                .maxRuntime(settings.maxRuntime());
        builder.messageNames(RunnerImpl::jobName);
        if (settings.lease() != null) {
            builder.lease(settings.lease());
        }
        if (settings.strictPriorities()) {
            builder.strictOrder();
        }
        Duration lease = Objects.requireNonNullElse(settings.lease(), DEFAULT_LEASE);
        Map<TypeHandler<?, ?>, TypeGate> gates = new HashMap<>();
        settings.handlers().forEach(handler -> {
            gates.put(handler, new TypeGate(slots, permits.of(handler.type(), lease)));
            context.rememberKeepLast(handler.type());
            context.rememberLimitPerKey(handler.type());
        });
        for (Lane lane : Lane.values()) {
            settings.handlers().forEach(handler -> {
                if (lane != Lane.KEYED || handler.type().hasKeys()) {
                    addSource(builder, handler, lane, Objects.requireNonNull(gates.get(handler)), settings);
                }
            });
        }
        this.gates = List.copyOf(gates.values());
        this.worker = builder.start();
        this.report = new RunnerReport(settings, this::status, runs);
        watch.add(this, report);
        idle.start();
    }

    private static String jobName(String queue, String message) {
        return "job " + new JobId(TypeQueues.typeOf(queue).orElse(queue), message);
    }

    /**
     * The worker holds as many messages again, whose handlers have returned, while the ends of their jobs are being stored. A runner of
     * one job at a time holds one message: its jobs run one after the other.
     */
    private static int withEnds(int concurrency) {
        return concurrency == 1 ? 1 : (int) Math.min(2L * concurrency, Integer.MAX_VALUE);
    }

    private <P, R> void addSource(
            ConnectedWorkerBuilder builder,
            TypeHandler<P, R> handler,
            Lane lane,
            TypeGate gate,
            RunnerSettings settings) {
        JobExecution<P, R> execution = new JobExecution<>(context, handler, lane.priority(), settings, runs);
        builder.from(
                TypeQueues.open(context.jono, handler.type(), lane, Codec.raw()),
                lane.priority().weight(),
                handler.max(),
                gate,
                execution::run);
    }

    /** A job whose end is being stored does not run any more. */
    @Override
    public WorkerStatus status() {
        WorkerStatus status = worker.status();
        return WorkerStatus.of(status.state(), runs.size(), status.overtime(), status.succeeded(), status.failed());
    }

    /** Whether no job of its types is due or running, in any process. */
    boolean isIdle() {
        return idle.isIdle();
    }

    /** Interrupts the runs itself, before the worker would, so that each run knows why. */
    @Override
    public boolean stop(Duration timeout) {
        Durations.check(timeout, "timeout");
        idle.close();
        runs.stop();
        JonoClock.Timer end = context.clock.schedule(timeout.toNanos(), runs::interruptAll);
        try {
            if (report.stopping()) {
                watch.reportRunners();
            }
            boolean ended = worker.stop(timeout.plus(GRACE));
            boolean stored = runs.awaitEnds(context.clock, context.jono.operationTimeout());
            return ended && stored && runs.size() == 0;
        } finally {
            end.cancel();
            CompletableFuture<Boolean> removed = watch.remove(this, report);
            gates.forEach(TypeGate::close);
            removed.completeOnTimeout(false, REMOVAL_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    @Override
    public void close() {
        stop(context.jono.operationTimeout());
    }
}
