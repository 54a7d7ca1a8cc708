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
 * A worker. Its sources wait for messages of their queues. The messages that they receive become tasks, which run as far as
 * the concurrency allows. A worker has no thread: handlers run on the executor; sources call it on the threads of the storage
 * and of timers; users start and stop it. No lock is held while a handler, the executor or the storage is called.
 */
final class WorkerImpl implements Worker, WorkerSource.Owner {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final Workers workers;
    private final WorkerSettings settings;
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
            WorkerSettings settings,
            @Nullable Executor executor,
            List<WorkerSource.Spec<?>> specs) {
        this.context = context;
        this.workers = workers;
        this.settings = settings;
        this.settlements = new PendingSettlements(context);
        this.executor = executor == null ? context.users : executor;
        for (WorkerSource.Spec<?> spec : specs) {
            sources.add(source(spec));
        }
        this.state = new WorkerState(context.clock, settings, sources);
        this.heartbeat = new Heartbeat(
                context,
                settings,
                sources.stream().mapToLong(s -> s.terms.leaseMillis()).min().orElse(Long.MAX_VALUE),
                state::tasks);
        this.runner = new TaskRunner(context, settings, counts, settlements);
        this.wakes = new SerialLoop(this::letSourcesClaim, context::handOver);
    }

    private <T> WorkerSource<T> source(WorkerSource.Spec<T> spec) {
        QueueHandle handle = spec.queue().handle;
        Duration lease = settings.lease() == null ? handle.settings.lease() : settings.lease();
        RedeliveryDelays delays = new RedeliveryDelays(
                context, settings.name(), handle.name(), () -> workers.handledIds(handle.core.consumers));
        return new WorkerSource<>(this, spec, handle.settings.claimTerms(lease, spec.batch()), delays, settlements);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public List<String> queues() {
        return sources.stream().map(WorkerSource::queueName).distinct().toList();
    }

    void start() {
        workers.add(this);
        sources.stream().map(source -> source.spec.gate()).distinct().forEach(gate -> gate.onOpened(wakes::request));
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
        heartbeat.start();
        if (source.consumers.watch().paused()) {
            // The queue was paused while the claim was in flight: returnReadAhead ran before the messages were here.
            returnReadAhead(source);
            return;
        }
        startAndClaim();
    }

    /** The whole worker waits, longer each time. */
    @Override
    public void failed(WorkerSource<?> source, RuntimeException failure) {
        state.claimFailed(source).ifPresent(wait -> {
            LOG.outage(
                    context.outages,
                    failure,
                    "worker '{}' cannot claim from queue '{}'; tried again in {}",
                    settings.name(),
                    source.queueName(),
                    Durations.format(Duration.ofNanos(wait.nanos)));
            continueAfter(wait);
        });
    }

    private void continueAfter(WorkerBackoff.Wait wait) {
        context.clock.schedule(wait.nanos, () -> {
            state.endWait(wait);
            startTasks();
            sources.forEach(s -> s.consumers.messagesDue(0));
        });
    }

    /** Starts tasks, and lets the sources claim for the free room. */
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

    /** A queue has no due message: sources that waited for its turn can claim now. */
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
            if (!run.takeOver()) {
                return; // the executor threw, but runs the task
            }
            // The executor is shut down, or there is no memory for a thread: the messages are given back, and the
            // worker
            // waits.
            task.interrupt(Task.End.STOP);
            runner.giveBack(task);
            finished(task);
            waitForExecutor(task.source, refused);
        }
    }

    private void waitForExecutor(WorkerSource<?> source, Throwable refused) {
        state.refused().ifPresent(wait -> {
            LOG.error(
                    "worker '{}': its executor refused a handler for queue '{}'; tried again in {}",
                    settings.name(),
                    source.queueName(),
                    Durations.format(Duration.ofNanos(wait.nanos)),
                    refused);
            continueAfter(wait);
        });
    }

    private void finished(Task<?> task) {
        state.finished(task);
        task.source.addHeld(-task.size());
    }

    /** Adds to {@code ids} the messages of a queue on which handlers of this worker work, and that are not settled. */
    void addHandled(WaitingConsumers queue, Set<String> ids) {
        for (Task<?> task : state.running()) {
            if (task.source.consumers.sameQueue(queue)) {
                task.unsettled().forEach(each -> ids.add(each.message.id()));
            }
        }
    }

    /** Gives back the messages of tasks that were not started, uncounted. */
    private void giveBack(Predicate<Task<?>> which) {
        for (Task<?> task : state.removeWaiting(which)) {
            task.source.addHeld(-task.size());
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
        awaitStored(context.clock.nanos() + sources.get(0).timeout().toNanos());
        return clean;
    }

    /** Ends claiming, and gives back the messages of tasks that were not started; false if the worker has stopped before. */
    @CanIgnoreReturnValue
    boolean stopClaiming() {
        if (!state.beginStop()) {
            return false;
        }
        sources.forEach(WorkerSource::detach);
        giveBack(task -> true);
        return true;
    }

    /** Waits for the handlers, and interrupts those that still run at the deadline; returns whether there were none. */
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

    /** Waits until no claim is in flight, and all settlements and give-backs are stored. */
    void awaitStored(long deadlineNanos) {
        sources.forEach(source -> source.consumers.claimLoop.awaitLanded(deadlineNanos));
        try {
            settlements.await(deadlineNanos);
        } catch (RuntimeException failure) {
            LOG.outage(
                    context.outages,
                    failure,
                    "worker '{}': not all messages could be settled or given back; the others return after their lease",
                    settings.name());
        }
        state.endStop();
        workers.remove(this);
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(30));
    }

    @Override
    public String toString() {
        return "worker '" + settings.name() + "', " + status();
    }
}
