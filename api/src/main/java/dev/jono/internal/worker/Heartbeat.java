package dev.jono.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.JonoClock;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Extends the leases of the messages that a worker holds, a third of a lease before each could end. A handler that has run
 * for too long is interrupted, its leases are not extended any more, and it is logged once if it has not ended by the next
 * beat. One timer per worker, while the worker holds messages. Runs on the thread of the clock.
 */
final class Heartbeat {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final WorkerLimits limits;
    private final Supplier<List<Task<?>>> held;
    private final long beatNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean planned;

    @GuardedBy("lock") private boolean stopped;

    @GuardedBy("lock") private JonoClock.@Nullable Timer next;

    /**
     * A heartbeat for leases of at least this length.
     *
     * @param held gives the tasks of the worker that hold leases
     */
    Heartbeat(EngineContext context, WorkerLimits limits, long shortestLeaseMillis, Supplier<List<Task<?>>> held) {
        this.context = context;
        this.limits = limits;
        this.held = held;
        long millis = Math.min(shortestLeaseMillis / 4, limits.maxRuntime().toMillis() / 2);
        this.beatNanos = Math.max(1, millis) * 1_000_000;
    }

    /** The worker holds messages from now on. */
    void watch() {
        lock.lock();
        try {
            if (planned || stopped) {
                return;
            }
            planned = true;
        } finally {
            lock.unlock();
        }
        plan();
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
            if (next != null) {
                next.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    private void plan() {
        JonoClock.Timer set = context.clock.schedule(beatNanos, this::beat);
        lock.lock();
        try {
            next = set;
            if (stopped) {
                set.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    private void beat() {
        List<Task<?>> tasks;
        lock.lock();
        try {
            // Read with the lock held: messages that are received later find that no beat is planned.
            tasks = held.get();
            planned = !stopped && !tasks.isEmpty() && !context.closed();
            if (!planned) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            renew(tasks);
        } finally {
            plan();
        }
    }

    private void renew(List<Task<?>> tasks) {
        long now = context.clock.nanos();
        Map<WorkerSource<?>, List<Alive>> due = new HashMap<>();
        for (Task<?> task : tasks) {
            if (isOvertime(task, now)) {
                tellIfStuck(task, now);
                task.interrupt(Task.End.RUNTIME);
                continue;
            }
            long leaseNanos = task.source.terms.leaseMillis() * 1_000_000;
            for (HeldMessage delivered : task.alive()) {
                // While the storage does not answer, one extend of each message waits, not one more per beat.
                if (delivered.leaseEndNanos() - now < leaseNanos * 2 / 3 && !delivered.extending()) {
                    due.computeIfAbsent(task.source, s -> new ArrayList<>()).add(new Alive(task, delivered));
                }
            }
        }
        due.forEach((source, messages) -> {
            int most = context.traits.maxBatch();
            for (int from = 0; from < messages.size(); from += most) {
                extend(source, messages.subList(from, Math.min(messages.size(), from + most)));
            }
        });
    }

    /** Whether a handler has run for longer than it may. */
    boolean isOvertime(Task<?> task, long nowNanos) {
        return task.runningNanos(nowNanos) > limits.maxRuntime().toNanos();
    }

    private void tellIfStuck(Task<?> task, long now) {
        Thread thread = task.stuck();
        if (thread == null) {
            return;
        }
        HeldMessage first = task.delivered.get(0);
        LOG.warn(
                "worker '{}': the handler of message {}{} of queue '{}', attempt {}, does not end: it was interrupted after"
                        + " {} and has run for {} now. It still counts towards the concurrency, and no worker of this factory"
                        + " receives the message before it ends. Thread '{}':{}",
                limits.name(),
                first.message.id(),
                task.size() == 1 ? "" : " and " + (task.size() - 1) + " more",
                task.source.queueName(),
                first.message.tries() + 1,
                Durations.format(limits.maxRuntime()),
                Durations.format(Duration.ofNanos(task.runningNanos(now))),
                thread.getName(),
                stack(thread));
    }

    private static String stack(Thread thread) {
        try {
            return Stream.of(thread.getStackTrace())
                    .map(frame -> System.lineSeparator() + "\tat " + frame)
                    .collect(Collectors.joining());
        } catch (Throwable refused) {
            return " no stack: " + FailureText.of(refused);
        }
    }

    private record Alive(Task<?> task, HeldMessage delivered) {}

    private void extend(WorkerSource<?> source, List<Alive> messages) {
        long leaseMillis = source.terms.leaseMillis();
        List<Receipt> receipts =
                messages.stream().map(alive -> alive.delivered().receipt()).toList();
        long end = context.clock.nanos() + leaseMillis * 1_000_000;
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(receipts, leaseMillis);
        messages.forEach(alive -> alive.delivered().extending(true));
        call.done.whenComplete((outcomes, failure) -> {
            messages.forEach(alive -> alive.delivered().extending(false));
            if (failure == null) {
                extended(messages, outcomes, end);
            }
        });
        try {
            source.extend(call);
        } catch (RuntimeException | Error refused) {
            call.done.completeExceptionally(refused); // the next beat tries again; the other sources have their turn
        }
    }

    private static void extended(List<Alive> messages, List<Outcome> outcomes, long end) {
        for (int i = 0; i < outcomes.size(); i++) {
            Alive alive = messages.get(i);
            if (outcomes.get(i) == Outcome.DONE) {
                alive.delivered().extended(end);
            } else if (alive.task().alive().contains(alive.delivered())) {
                // Its handler has not settled it, so another consumer has it.
                alive.delivered().lose();
                if (alive.task().delivered.stream().allMatch(HeldMessage::lost)) {
                    alive.task().interrupt(Task.End.LOST);
                }
            }
        }
    }
}
