package dev.jono.internal.worker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.concurrent.OnceTask;
import dev.jono.internal.concurrent.SerialLoop;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A worker: its sources wait in their queues' intakes; what they are given becomes tasks, which run as far as the
 * concurrency allows. It owns no thread: handlers run on the executor, claims on the storage's threads.
 */
final class WorkerImpl implements Worker {
    private static final Log LOG = Log.named("dev.jono.worker");
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_DOUBLINGS = 10;

    final EngineContext context;
    final Workers workers;
    final Limits limits;
    private final Executor executor;
    private final List<WorkerSource<?>> sources = new ArrayList<>();

    @GuardedBy("lock") private final SourceTurns turns;

    private final Heartbeat heartbeat;
    private final TaskRunner runner;
    final PendingSettlements settlements;
    private final SerialLoop wakes;
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final HeldTasks tasks;

    @GuardedBy("lock") private WorkerStatus.State state = WorkerStatus.State.RUNNING;

    @GuardedBy("lock") private long pauseNanos;

    /** How often the executor has refused since it last ran a handler; races over it only make a pause longer, or shorter. */
    private volatile int refusals;

    /** A worker's settings. */
    record Limits(
            String name,
            int concurrency,
            int prefetch,
            @Nullable Duration lease,
            Duration maxRuntime,
            boolean strictOrder) {}

    WorkerImpl(
            EngineContext context,
            Workers workers,
            Limits limits,
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
        this.tasks = new HeldTasks(limits.concurrency(), limits.prefetch());
        this.turns = new SourceTurns(sources, limits.strictOrder(), limits.concurrency(), limits.prefetch());
        this.heartbeat = new Heartbeat(
                this,
                sources.stream().mapToLong(s -> s.terms.leaseMillis()).min().orElse(Long.MAX_VALUE));
        this.runner = new TaskRunner(this);
        this.wakes = new SerialLoop(this::letSourcesClaim, context::handOver);
    }

    private <T> WorkerSource<T> source(WorkerSource.Spec<T> spec) {
        QueueSettings settings = spec.queue().handle.settings;
        Duration lease = limits.lease() == null ? settings.lease() : limits.lease();
        return new WorkerSource<>(this, spec, settings.claimTerms(lease));
    }

    void start() {
        workers.add(this);
        for (WorkerSource<?> source : sources) {
            source.attach();
        }
    }

    // ---- room -----------------------------------------------------------------------------------------------

    /** How many messages a source may claim now; called with its intake's lock held. */
    int room(WorkerSource<?> source) {
        lock.lock();
        try {
            int free = tasks.freeRoom();
            if (state != WorkerStatus.State.RUNNING || free <= 0 || pauseNanos < 0 || !turns.hasTurn(source)) {
                return 0;
            }
            int share = turns.takeTurn(source, free);
            tasks.reserveRoom(share);
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** A claim for a source has ended, and brought this. */
    <T> boolean received(WorkerSource<T> source, List<HeldMessage> messages) {
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, messages.size()));
            pauseNanos = Math.max(0, pauseNanos > 0 ? 0 : pauseNanos);
            if (state != WorkerStatus.State.RUNNING) {
                tasks.releaseRoom(messages.size());
                changed.signalAll();
                return false;
            }
            source.held(messages.size());
            tasks.add(source, messages);
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** A claim for a source is over: starts what it brought, and lets the sources claim for the room that is left. */
    void begin(WorkerSource<?> source) {
        heartbeat.watch();
        if (source.consumers.watch().paused()) {
            // Since the claim began: who paused has not found what it brought.
            returnReadAhead(source);
            return;
        }
        startTasks();
        wakeSources();
    }

    /** A claim failed: all sources pause, longer each time. */
    void failed(WorkerSource<?> source, RuntimeException failure) {
        long pause;
        lock.lock();
        try {
            tasks.releaseRoom(turns.endTurn(source, 0));
            changed.signalAll();
            if (state != WorkerStatus.State.RUNNING || pauseNanos < 0) {
                return;
            }
            pause = pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2);
            pauseNanos = -pause;
        } finally {
            lock.unlock();
        }
        LOG.outage(
                context.outages,
                failure,
                "worker '{}' cannot claim from queue '{}'; tried again in {}",
                limits.name(),
                source.queueName(),
                Durations.format(Duration.ofNanos(pause)));
        resumeAfter(pause);
    }

    private void resumeAfter(long pause) {
        context.clock.schedule(pause, () -> {
            lock.lock();
            try {
                pauseNanos = pause;
            } finally {
                lock.unlock();
            }
            startTasks();
            sources.forEach(s -> s.consumers.messagesDue(0));
        });
    }

    /**
     * There is room: lets the sources claim, in order of precedence.
     */
    private void wakeSources() {
        wakes.request();
    }

    private SerialLoop.Next letSourcesClaim() {
        List<WorkerSource<?>> order;
        lock.lock();
        try {
            order = turns.inOrder();
        } finally {
            lock.unlock();
        }
        for (WorkerSource<?> source : order) {
            if (source.consumers.mayHaveMessages()) {
                source.consumers.claimLoop.pump();
            }
        }
        return SerialLoop.Next.DONE;
    }

    // ---- tasks ----------------------------------------------------------------------------------------------

    private void startTasks() {
        while (true) {
            Task<?> task;
            lock.lock();
            try {
                boolean may = state == WorkerStatus.State.RUNNING && pauseNanos >= 0;
                task = may ? tasks.startNext() : null;
            } finally {
                lock.unlock();
            }
            if (task == null) {
                return;
            }
            launch(task);
        }
    }

    private <T> void launch(Task<T> task) {
        OnceTask run = new OnceTask(() -> {
            refusals = 0;
            try {
                runner.run(task);
            } finally {
                finished(task);
                startTasks();
                wakeSources();
            }
        });
        try {
            executor.execute(run);
        } catch (Throwable refused) {
            if (!run.claim()) {
                return; // it runs all the same
            }
            // An executor that is shut down, or no memory for a thread: the messages go back, and the worker pauses.
            task.interrupt(Task.End.STOP);
            runner.giveBack(task);
            finished(task);
            pause(task.source, refused);
        }
    }

    private void pause(WorkerSource<?> source, Throwable refused) {
        long pause;
        lock.lock();
        try {
            if (state != WorkerStatus.State.RUNNING || pauseNanos < 0) {
                return;
            }
            int before = refusals;
            refusals = before + 1;
            pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(before, MOST_DOUBLINGS));
            pauseNanos = -pause;
        } finally {
            lock.unlock();
        }
        LOG.error(
                "worker '{}': its executor refused a handler for queue '{}'; it pauses for {}",
                limits.name(),
                source.queueName(),
                Durations.format(Duration.ofNanos(pause)),
                refused);
        resumeAfter(pause);
    }

    private void finished(Task<?> task) {
        lock.lock();
        try {
            tasks.finished(task);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        task.source.held(-task.size());
    }

    /** Counts a message whose handling is over. */
    void count(boolean success) {
        (success ? succeeded : failed).incrementAndGet();
    }

    /** All tasks that hold leases. */
    List<Task<?>> tasks() {
        lock.lock();
        try {
            return tasks.all();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the ids of a queue's messages on which a handler works, and which it has not settled. */
    void handling(WaitingConsumers queue, Set<String> ids) {
        lock.lock();
        try {
            for (Task<?> task : tasks.running()) {
                if (task.source.consumers.sameQueue(queue)) {
                    task.unsettled().forEach(each -> ids.add(each.message.id()));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** A queue was paused or resumed: nothing that was read ahead from a paused one is handed out. */
    void gate(WorkerSource<?> source, boolean paused) {
        if (paused) {
            returnReadAhead(source);
        } else {
            startTasks();
            wakeSources();
        }
    }

    /** The storage has nothing for a source now: others may have waited for its turn. */
    void emptied() {
        wakeSources();
    }

    /** Nothing that was read ahead from a source's queue is handed out any more. */
    void returnReadAhead(WorkerSource<?> source) {
        giveBack(task -> task.source == source);
        startTasks();
        wakeSources();
    }

    /** Gives back, uncounted, tasks that were not started. */
    private void giveBack(Predicate<Task<?>> which) {
        List<Task<?>> back;
        lock.lock();
        try {
            back = tasks.takeBack(which);
        } finally {
            lock.unlock();
        }
        for (Task<?> task : back) {
            task.source.held(-task.size());
            settlements.add(task.source.giveBack(task.delivered));
        }
    }

    // ---- control --------------------------------------------------------------------------------------------

    @Override
    public WorkerStatus status() {
        long now = context.clock.nanos();
        lock.lock();
        try {
            int overtime = (int) tasks.running().stream()
                    .filter(task -> heartbeat.isOvertime(task, now))
                    .count();
            return WorkerStatus.of(state, tasks.runningMessages(), overtime, succeeded.get(), failed.get());
        } finally {
            lock.unlock();
        }
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

    /** Claims nothing more, and gives back what was not started; false if the worker has stopped. */
    @CanIgnoreReturnValue
    boolean stopClaiming() {
        lock.lock();
        try {
            if (state == WorkerStatus.State.STOPPED) {
                return false;
            }
            state = WorkerStatus.State.STOPPING;
        } finally {
            lock.unlock();
        }
        for (WorkerSource<?> source : sources) {
            source.detach();
        }
        giveBack(task -> true);
        return true;
    }

    /** Waits for the handlers, and interrupts those that do not end by then; returns whether there were none. */
    boolean endHandlers(long deadlineNanos) {
        boolean clean = awaitTasks(deadlineNanos);
        if (!clean) {
            for (Task<?> task : tasks()) {
                task.interrupt(Task.End.STOP);
                runner.release(task);
            }
        }
        heartbeat.stop();
        return clean;
    }

    /** Waits, uninterruptibly, until no handler runs and no claim is in flight. A handler does not wait for itself. */
    private boolean awaitTasks(long deadlineNanos) {
        lock.lock();
        try {
            int own = tasks.running().stream()
                    .filter(Task::runsHere)
                    .mapToInt(Task::size)
                    .sum();
            return UninterruptibleWait.until(changed, context.clock, deadlineNanos, () -> held() <= own) && own == 0;
        } finally {
            lock.unlock();
        }
    }

    /** How many messages this worker holds, or has promised to claims. */
    private int held() {
        lock.lock();
        try {
            return tasks.held();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the claims under way have landed, and what was given back and settled is stored. */
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
        lock.lock();
        try {
            state = WorkerStatus.State.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
