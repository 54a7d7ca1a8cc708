package dev.jono.internal.worker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.Durations;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.concurrent.OnceTask;
import dev.jono.internal.concurrent.SerialLoop;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A worker. Its sources wait for messages of their queues; what they are given becomes tasks, which run as far as the
 * concurrency allows. It owns no thread: handlers run on the executor, claims on the threads of the storage.
 */
final class WorkerImpl implements Worker, WorkerSource.Owner {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final Workers workers;
    private final WorkerLimits limits;
    private final Executor executor;
    private final List<WorkerSource<?>> sources = new ArrayList<>();
    private final WorkerState state;
    private final Heartbeat heartbeat;
    private final TaskRunner runner;
    private final PendingSettlements settlements;
    private final HandledCounts counts = new HandledCounts();
    private final SerialLoop wakes;

    WorkerImpl(
            EngineContext context,
            Workers workers,
            WorkerLimits limits,
            @Nullable Executor executor,
            List<WorkerSource.Spec<?>> specs) {
        this.context = context;
        this.workers = workers;
        this.limits = limits;
        this.settlements = new PendingSettlements(context);
        this.executor = executor == null ? context.users : executor;
        for (WorkerSource.Spec<?> spec : specs) {
            sources.add(source(spec));
        }
        this.state = new WorkerState(context.clock, limits, sources);
        this.heartbeat = new Heartbeat(
                context,
                limits,
                sources.stream().mapToLong(s -> s.terms.leaseMillis()).min().orElse(Long.MAX_VALUE),
                state::tasks);
        this.runner = new TaskRunner(context, limits, counts, settlements);
        this.wakes = new SerialLoop(this::letSourcesClaim, context::handOver);
    }

    private <T> WorkerSource<T> source(WorkerSource.Spec<T> spec) {
        QueueHandle handle = spec.queue().handle;
        Duration lease = limits.lease() == null ? handle.settings.lease() : limits.lease();
        HoldBack holdBack =
                new HoldBack(context, limits.name(), handle.name(), () -> workers.handling(handle.core.consumers));
        return new WorkerSource<>(this, spec, handle.settings.claimTerms(lease), holdBack, settlements);
    }

    String name() {
        return limits.name();
    }

    void start() {
        workers.add(this);
        sources.forEach(WorkerSource::attach);
    }

    // ---- claims ---------------------------------------------------------------------------------------------

    @Override
    public int room(WorkerSource<?> source) {
        return state.room(source);
    }

    @Override
    public <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages) {
        return state.received(source, messages);
    }

    @Override
    public void begin(WorkerSource<?> source) {
        heartbeat.watch();
        if (source.consumers.watch().paused()) {
            // The pause came after the claim began, so the caller that paused has not found what the claim brought.
            returnReadAhead(source);
            return;
        }
        startAndClaim();
    }

    /** All sources pause, longer each time. */
    @Override
    public void failed(WorkerSource<?> source, RuntimeException failure) {
        state.claimFailed(source).ifPresent(nanos -> {
            LOG.outage(
                    context.outages,
                    failure,
                    "worker '{}' cannot claim from queue '{}'; tried again in {}",
                    limits.name(),
                    source.queueName(),
                    Durations.format(Duration.ofNanos(nanos)));
            resumeAfter(nanos);
        });
    }

    private void resumeAfter(long nanos) {
        context.clock.schedule(nanos, () -> {
            state.endPause();
            startTasks();
            sources.forEach(s -> s.consumers.messagesDue(0));
        });
    }

    /** Starts tasks, and lets the sources claim for the room that is left. */
    private void startAndClaim() {
        startTasks();
        wakes.request();
    }

    private SerialLoop.Next letSourcesClaim() {
        for (WorkerSource<?> source : state.inOrder()) {
            if (source.consumers.mayHaveMessages()) {
                source.consumers.claimLoop.pump();
            }
        }
        return SerialLoop.Next.DONE;
    }

    @Override
    public void pauseChanged(WorkerSource<?> source, boolean paused) {
        if (paused) {
            returnReadAhead(source);
        } else {
            startAndClaim();
        }
    }

    /** Other sources may have waited for the turn of the one whose queue is empty. */
    @Override
    public void emptied() {
        wakes.request();
    }

    @Override
    public void returnReadAhead(WorkerSource<?> source) {
        giveBack(task -> task.source == source);
        startAndClaim();
    }

    // ---- tasks ----------------------------------------------------------------------------------------------

    private void startTasks() {
        for (Task<?> task = state.startNext(); task != null; task = state.startNext()) {
            launch(task);
        }
    }

    private <T> void launch(Task<T> task) {
        OnceTask run = new OnceTask(() -> {
            state.executorRuns();
            try {
                runner.run(task);
            } finally {
                finished(task);
                startAndClaim();
            }
        });
        try {
            executor.execute(run);
        } catch (Throwable refused) {
            if (!run.claim()) {
                return; // it runs all the same
            }
            // The executor is shut down, or there is no memory for a thread: the messages go back, and the worker
            // pauses.
            task.interrupt(Task.End.STOP);
            runner.giveBack(task);
            finished(task);
            pause(task.source, refused);
        }
    }

    private void pause(WorkerSource<?> source, Throwable refused) {
        state.refused().ifPresent(nanos -> {
            LOG.error(
                    "worker '{}': its executor refused a handler for queue '{}'; it pauses for {}",
                    limits.name(),
                    source.queueName(),
                    Durations.format(Duration.ofNanos(nanos)),
                    refused);
            resumeAfter(nanos);
        });
    }

    private void finished(Task<?> task) {
        state.finished(task);
        task.source.held(-task.size());
    }

    /** Adds the ids of the messages of a queue on which handlers work and that are not settled. */
    void handling(WaitingConsumers queue, Set<String> ids) {
        for (Task<?> task : state.running()) {
            if (task.source.consumers.sameQueue(queue)) {
                task.unsettled().forEach(each -> ids.add(each.message.id()));
            }
        }
    }

    /** Gives back tasks that were not started; they are not counted as delivered. */
    private void giveBack(Predicate<Task<?>> which) {
        for (Task<?> task : state.takeBack(which)) {
            task.source.held(-task.size());
            settlements.add(task.source.giveBack(task.delivered));
        }
    }

    // ---- control --------------------------------------------------------------------------------------------

    @Override
    public WorkerStatus status() {
        long now = context.clock.nanos();
        return state.status(task -> heartbeat.isOvertime(task, now), counts);
    }

    @Override
    public boolean stop(Duration timeout) {
        Durations.check(timeout, "timeout");
        if (!stopClaiming()) {
            return true;
        }
        boolean clean = endHandlers(context.clock.nanos() + timeout.toNanos());
        endStop(context.clock.nanos() + sources.get(0).timeout().toNanos());
        return clean;
    }

    /** Claims nothing more, and gives back the tasks that were not started; false if the worker has stopped before. */
    @CanIgnoreReturnValue
    boolean stopClaiming() {
        if (!state.stopping()) {
            return false;
        }
        sources.forEach(WorkerSource::detach);
        giveBack(task -> true);
        return true;
    }

    /** Waits for the handlers, and interrupts those that do not end by then; returns whether there were none. */
    boolean endHandlers(long deadlineNanos) {
        boolean clean = state.awaitNoneHeld(deadlineNanos);
        if (!clean) {
            for (Task<?> task : state.tasks()) {
                task.interrupt(Task.End.STOP);
                runner.release(task);
            }
        }
        heartbeat.stop();
        return clean;
    }

    /** Waits until no claim is in flight, and all settlements and returns are stored. */
    void endStop(long deadlineNanos) {
        sources.forEach(source -> source.consumers.claimLoop.awaitLanded(deadlineNanos));
        try {
            settlements.await(deadlineNanos);
        } catch (RuntimeException failure) {
            LOG.outage(
                    context.outages,
                    failure,
                    "worker '{}': not all messages could be settled or given back; those return after their lease",
                    limits.name());
        }
        state.stopped();
        workers.remove(this);
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(30));
    }

    @Override
    public String toString() {
        return "worker '" + limits.name() + "', " + status();
    }
}
