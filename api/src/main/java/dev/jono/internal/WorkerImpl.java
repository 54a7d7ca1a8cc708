package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: its sources wait in their queues' intakes; what they are given becomes tasks, which run as far as the
 * concurrency allows. It owns no thread: handlers run on the executor, claims on the storage's threads.
 *
 * <p>Room is counted in messages: {@code held} is what was claimed and not finished, plus what is promised to claims
 * under way. It never exceeds concurrency and prefetch together.
 */
final class WorkerImpl implements Worker {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.worker");
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    final Context context;
    final Limits limits;
    private final Executor executor;
    private final List<WorkerSource<?>> sources = new ArrayList<>();

    @GuardedBy("lock") private final Turns turns;

    private final Heartbeat heartbeat;
    private final TaskRunner runner;
    private final Set<CompletableFuture<?>> settling = ConcurrentHashMap.newKeySet();
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final ArrayDeque<Task<?>> waiting = new ArrayDeque<>();

    @GuardedBy("lock") private final Set<Task<?>> running = new HashSet<>();

    @GuardedBy("lock") private int held;

    @GuardedBy("lock") private int runningMessages;

    /** While an isolated task runs, nothing else does. */
    @GuardedBy("lock") private boolean alone;

    @GuardedBy("lock") private WorkerStatus.State state = WorkerStatus.State.RUNNING;

    @GuardedBy("lock") private long pauseNanos;

    /** A worker's settings. */
    record Limits(
            String name,
            int concurrency,
            int prefetch,
            @Nullable Duration lease,
            Duration maxRuntime,
            boolean strict) {}

    WorkerImpl(Context context, Limits limits, @Nullable Executor executor, List<WorkerSource.Spec<?>> specs) {
        this.context = context;
        this.limits = limits;
        this.executor = executor == null ? context.users : executor;
        for (WorkerSource.Spec<?> spec : specs) {
            sources.add(source(spec));
        }
        this.turns = new Turns(sources, limits.strict(), limits.concurrency(), limits.prefetch());
        this.heartbeat = new Heartbeat(
                this,
                sources.stream().mapToLong(s -> s.terms.leaseMillis()).min().orElse(Long.MAX_VALUE));
        this.runner = new TaskRunner(this);
    }

    private <T> WorkerSource<T> source(WorkerSource.Spec<T> spec) {
        Settings settings = spec.queue().handle.settings;
        Duration lease = limits.lease() == null ? settings.lease() : limits.lease();
        return new WorkerSource<>(this, spec, settings.terms(lease));
    }

    void start() {
        for (WorkerSource<?> source : sources) {
            source.spec.queue().handle.readAheads.add(source.drainHook);
            source.intake.add(source);
        }
    }

    // ---- room -----------------------------------------------------------------------------------------------

    /** How many messages a source may claim now; called with its intake's lock held. */
    int room(WorkerSource<?> source) {
        lock.lock();
        try {
            int free = limits.concurrency() + limits.prefetch() - held;
            if (state != WorkerStatus.State.RUNNING
                    || free <= 0
                    || pauseNanos < 0
                    || quarantined()
                    || !turns.has(source)) {
                return 0;
            }
            int share = turns.take(source, free);
            held += share;
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is claimed while a message that has killed its consumers waits or runs: it would be counted with it. */
    @GuardedBy("lock") private boolean quarantined() {
        return alone || waiting.stream().anyMatch(task -> task.isolated);
    }

    /** A claim for a source has ended, and brought this. */
    <T> boolean received(WorkerSource<T> source, List<Delivered> messages) {
        lock.lock();
        try {
            held -= turns.end(source, messages.size());
            pauseNanos = Math.max(0, pauseNanos > 0 ? 0 : pauseNanos);
            if (state != WorkerStatus.State.RUNNING) {
                held -= messages.size();
                changed.signalAll();
                return false;
            }
            source.spec.queue().handle.held(messages.size());
            for (int from = 0; from < messages.size(); from += source.spec.batch()) {
                int to = Math.min(messages.size(), from + source.spec.batch());
                waiting.add(new Task<>(source, List.copyOf(messages.subList(from, to))));
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** A claim for a source is over: starts what it brought, and lets the sources claim for the room that is left. */
    void begin(WorkerSource<?> source) {
        heartbeat.watch();
        if (source.intake.watch().paused()) {
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
            held -= turns.end(source, 0);
            changed.signalAll();
            if (state != WorkerStatus.State.RUNNING || pauseNanos < 0) {
                return;
            }
            pause = pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2);
            pauseNanos = -pause;
        } finally {
            lock.unlock();
        }
        LOG.warn(
                "worker '{}' cannot claim from queue '{}'; tried again in {}",
                limits.name(),
                source.spec.queue().name(),
                Duration.ofNanos(pause),
                failure);
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
            sources.forEach(s -> s.intake.signalled(0));
        });
    }

    /**
     * There is room: lets the sources claim, in order of precedence. One thread at a time, in a loop: a claim that is
     * answered at once comes back here, and must not deepen the stack.
     */
    private void wakeSources() {
        if (wakes.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            List<WorkerSource<?>> order;
            lock.lock();
            try {
                order = turns.inOrder();
            } finally {
                lock.unlock();
            }
            for (WorkerSource<?> source : order) {
                if (source.intake.worthALook()) {
                    source.intake.claims.pump();
                }
            }
            seen = wakes.addAndGet(-seen);
        } while (seen != 0);
    }

    // ---- tasks ----------------------------------------------------------------------------------------------

    private void startTasks() {
        while (true) {
            Task<?> task;
            lock.lock();
            try {
                task = next();
                if (task == null) {
                    return;
                }
                waiting.remove(task);
                running.add(task);
                runningMessages += task.size();
                alone = task.isolated;
            } finally {
                lock.unlock();
            }
            launch(task);
        }
    }

    /** The first that may be started; those of a paused queue do not hold up the others. */
    @GuardedBy("lock") private @Nullable Task<?> next() {
        if (alone || state != WorkerStatus.State.RUNNING || pauseNanos < 0) {
            return null;
        }
        for (Task<?> task : waiting) {
            if (!task.source.intake.watch().paused()) {
                boolean fits = runningMessages + task.size() <= limits.concurrency()
                        && (!task.isolated || runningMessages == 0);
                return fits ? task : null;
            }
        }
        return null;
    }

    private <T> void launch(Task<T> task) {
        OnceTask run = new OnceTask(() -> {
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
        lock.lock();
        try {
            if (state != WorkerStatus.State.RUNNING || pauseNanos < 0) {
                return;
            }
            pauseNanos = -LONGEST_PAUSE_NANOS;
        } finally {
            lock.unlock();
        }
        LOG.error(
                "worker '{}': its executor refused a handler for queue '{}'; it pauses for {}",
                limits.name(),
                source.spec.queue().name(),
                Duration.ofNanos(LONGEST_PAUSE_NANOS),
                refused);
        resumeAfter(LONGEST_PAUSE_NANOS);
    }

    private void finished(Task<?> task) {
        lock.lock();
        try {
            running.remove(task);
            runningMessages -= task.size();
            held -= task.size();
            alone = alone && !task.isolated;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        task.source.spec.queue().handle.held(-task.size());
    }

    /** Something is being settled or given back; the end of the worker waits for it. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    void settling(CompletableFuture<?> settled) {
        settling.add(settled);
        settled.whenComplete((done, failure) -> settling.remove(settled));
    }

    void count(boolean success, int messages) {
        (success ? succeeded : failed).addAndGet(messages);
    }

    /** All tasks that hold leases. */
    List<Task<?>> tasks() {
        lock.lock();
        try {
            List<Task<?>> all = new ArrayList<>(running);
            all.addAll(waiting);
            return all;
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
        List<Task<?>> back = new ArrayList<>();
        lock.lock();
        try {
            for (Task<?> task : List.copyOf(waiting)) {
                if (which.test(task) && waiting.remove(task)) {
                    back.add(task);
                    held -= task.size();
                }
            }
        } finally {
            lock.unlock();
        }
        for (Task<?> task : back) {
            task.source.spec.queue().handle.held(-task.size());
            settling(task.source.spec.queue().handle.core.giveBack(task.delivered));
        }
    }

    // ---- control --------------------------------------------------------------------------------------------

    @Override
    public WorkerStatus status() {
        lock.lock();
        try {
            return WorkerStatus.of(state, runningMessages, succeeded.get(), failed.get());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean stop(Duration timeout) {
        Durations.check(timeout, "timeout");
        lock.lock();
        try {
            if (state == WorkerStatus.State.STOPPED) {
                return true;
            }
            state = WorkerStatus.State.STOPPING;
        } finally {
            lock.unlock();
        }
        for (WorkerSource<?> source : sources) {
            source.intake.remove(source);
            source.spec.queue().handle.readAheads.remove(source.drainHook);
        }
        giveBack(task -> true);
        boolean clean = awaitTasks(context.clock.nanos() + timeout.toNanos());
        if (!clean) {
            for (Task<?> task : tasks()) {
                task.interrupt(Task.End.STOP);
                runner.release(task);
            }
        }
        heartbeat.stop();
        flush();
        lock.lock();
        try {
            state = WorkerStatus.State.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return clean;
    }

    /** Waits, uninterruptibly, until no handler runs and no claim is under way. */
    private boolean awaitTasks(long deadlineNanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (held > 0) {
                long left = deadlineNanos - context.clock.nanos();
                if (left <= 0) {
                    return false;
                }
                interrupted |= Await.change(changed, context.clock, left);
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until the claims under way have landed, and what was given back and settled is stored. */
    private void flush() {
        Duration timeout = sources.get(0).spec.queue().handle.core.timeout;
        long deadline = context.clock.nanos() + timeout.toNanos();
        sources.forEach(source -> source.intake.claims.awaitLanded(deadline));
        try {
            // What is to be settled may be known only when something else is over.
            while (!settling.isEmpty()) {
                CompletableFuture<?> all = CompletableFuture.allOf(settling.toArray(CompletableFuture[]::new));
                context.blocked.await(
                        all,
                        Duration.ofNanos(Math.max(0, deadline - context.clock.nanos())),
                        () -> new IllegalStateException("not answered in " + timeout));
            }
        } catch (RuntimeException failure) {
            LOG.warn(
                    "worker '{}': not all messages could be settled or given back; those return after their lease",
                    limits.name(),
                    failure);
        }
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
