package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
    private final Heartbeat heartbeat;
    private final TaskRunner runner;
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
        this.heartbeat = new Heartbeat(this);
        this.runner = new TaskRunner(this);
    }

    private <T> WorkerSource<T> source(WorkerSource.Spec<T> spec) {
        Settings settings = spec.queue().handle.settings;
        Duration lease = limits.lease() == null ? settings.lease() : limits.lease();
        return new WorkerSource<>(this, spec, settings.terms(lease));
    }

    void start() {
        sources.forEach(source -> source.intake.add(source));
    }

    // ---- room -----------------------------------------------------------------------------------------------

    /** How many messages a source may claim now; called with its intake's lock held. */
    int room(WorkerSource<?> source) {
        lock.lock();
        try {
            int free = limits.concurrency() + limits.prefetch() - held;
            if (state != WorkerStatus.State.RUNNING || free <= 0 || source.promised > 0 || pauseNanos < 0) {
                return 0;
            }
            int share = share(source, free);
            held += share;
            source.promised = share;
            source.served += (double) share / source.spec.weight();
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** By weight, one source may not take all the room while others may have messages too. */
    @GuardedBy("lock") private int share(WorkerSource<?> source, int free) {
        if (limits.strict() || sources.size() == 1) {
            return free;
        }
        int weights = sources.stream().mapToInt(s -> s.spec.weight()).sum();
        int share =
                (int) Math.ceil((double) (limits.concurrency() + limits.prefetch()) * source.spec.weight() / weights);
        return Math.max(1, Math.min(free, share));
    }

    /** A claim for a source has ended, and brought this. */
    <T> boolean received(WorkerSource<T> source, List<Delivered> messages) {
        lock.lock();
        try {
            source.served -= (double) (source.promised - messages.size()) / source.spec.weight();
            held -= source.promised - messages.size();
            source.promised = 0;
            pauseNanos = Math.max(0, pauseNanos > 0 ? 0 : pauseNanos);
            if (state != WorkerStatus.State.RUNNING) {
                held -= messages.size();
                changed.signalAll();
                return false;
            }
            for (int from = 0; from < messages.size(); from += source.spec.batch()) {
                int to = Math.min(messages.size(), from + source.spec.batch());
                waiting.add(new Task<>(source, List.copyOf(messages.subList(from, to))));
            }
        } finally {
            lock.unlock();
        }
        if (messages.isEmpty()) {
            wakeSources();
        } else {
            heartbeat.watch(source.terms.leaseMillis());
            startTasks();
            wakeSources();
        }
        return true;
    }

    /** A claim failed: all sources pause, longer each time. */
    void failed(WorkerSource<?> source, RuntimeException failure) {
        long pause;
        lock.lock();
        try {
            held -= source.promised;
            source.promised = 0;
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
        context.clock.schedule(pause, () -> {
            lock.lock();
            try {
                pauseNanos = pause;
            } finally {
                lock.unlock();
            }
            sources.forEach(s -> s.intake.signalled(0));
        });
    }

    /** There is room: lets the sources claim, in order of precedence. */
    private void wakeSources() {
        for (WorkerSource<?> source : inOrder()) {
            source.intake.pump();
        }
    }

    private List<WorkerSource<?>> inOrder() {
        if (sources.size() == 1 || limits.strict()) {
            return sources;
        }
        lock.lock();
        try {
            List<WorkerSource<?>> order = new ArrayList<>(sources);
            order.sort(Comparator.comparingDouble(source -> source.served));
            // What has lain idle gets no credit for it.
            double least = order.get(order.size() - 1).served - limits.concurrency();
            order.forEach(source -> source.served = Math.max(source.served, least));
            return order;
        } finally {
            lock.unlock();
        }
    }

    // ---- tasks ----------------------------------------------------------------------------------------------

    private void startTasks() {
        while (true) {
            Task<?> task;
            lock.lock();
            try {
                task = waiting.peek();
                if (task == null
                        || alone
                        || state != WorkerStatus.State.RUNNING
                        || task.source.intake.paused()
                        || runningMessages + task.size() > limits.concurrency()
                        || (task.isolated && runningMessages > 0)) {
                    return;
                }
                waiting.remove();
                running.add(task);
                runningMessages += task.size();
                alone = task.isolated;
            } finally {
                lock.unlock();
            }
            launch(task);
        }
    }

    private <T> void launch(Task<T> task) {
        try {
            executor.execute(() -> {
                try {
                    runner.run(task);
                } finally {
                    finished(task);
                }
            });
        } catch (RejectedExecutionException refused) {
            LOG.warn("worker '{}': its executor refused a handler; the messages go back", limits.name(), refused);
            task.source.spec.queue().handle.core.giveBack(task.delivered);
            finished(task);
        }
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
        startTasks();
        wakeSources();
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

    /** Gives back what waits for a paused queue: nothing that was read ahead is handed out. */
    void giveBackPaused() {
        List<Task<?>> back = new ArrayList<>();
        lock.lock();
        try {
            for (Task<?> task : List.copyOf(waiting)) {
                if (task.source.intake.paused() && waiting.remove(task)) {
                    back.add(task);
                    held -= task.size();
                }
            }
        } finally {
            lock.unlock();
        }
        back.forEach(task -> task.source.spec.queue().handle.core.giveBack(task.delivered));
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
        List<Task<?>> unstarted;
        lock.lock();
        try {
            if (state == WorkerStatus.State.STOPPED) {
                return true;
            }
            state = WorkerStatus.State.STOPPING;
            unstarted = new ArrayList<>(waiting);
            waiting.clear();
            unstarted.forEach(task -> held -= task.size());
        } finally {
            lock.unlock();
        }
        sources.forEach(source -> source.intake.remove(source));
        List<CompletableFuture<?>> back = new ArrayList<>();
        unstarted.forEach(task -> back.add(task.source.spec.queue().handle.core.giveBack(task.delivered)));
        boolean clean = awaitTasks(context.clock.nanos() + timeout.toNanos());
        if (!clean) {
            for (Task<?> task : tasks()) {
                task.interrupt(Task.End.STOP);
                back.addAll(runner.release(task));
            }
        }
        heartbeat.stop();
        flush(back);
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

    /** Waits until what was given back and acked is stored. */
    private void flush(List<CompletableFuture<?>> back) {
        for (WorkerSource<?> source : sources) {
            Handle handle = source.spec.queue().handle;
            long deadline =
                    context.clock.nanos() + handle.settings.operationTimeout().toNanos();
            handle.core.lanes().forEach(lane -> {
                if (!lane.awaitQuiet(deadline)) {
                    LOG.warn("worker '{}': calls of queue '{}' are still not answered", limits.name(), handle.name());
                }
            });
        }
        back.forEach(future -> {
            if (future.isCompletedExceptionally()) {
                LOG.warn(
                        "worker '{}': some messages could not be given back; they return after their lease",
                        limits.name());
            }
        });
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
