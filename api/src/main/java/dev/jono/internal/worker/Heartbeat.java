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
 * Extends the leases of the messages that a worker holds, when less than two thirds of a lease remain. It interrupts a handler
 * that has run for too long, and does not extend its leases any more; if the handler still runs at the next beat, it is logged
 * once. There is one timer per worker, while the worker holds messages.
 *
 * <p>{@link WorkerImpl} starts and stops it; beats run on the thread of the clock, answers of extensions on those of the
 * storage. No lock is held while the storage is called. Thread-safe.
 */
final class Heartbeat {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final WorkerSettings settings;
    private final Supplier<List<Task<?>>> held;
    private final long beatNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Whether a timer for the next beat is set, or is being set. */
    @GuardedBy("lock") private boolean planned;

    @GuardedBy("lock") private boolean stopped;

    @GuardedBy("lock") private JonoClock.@Nullable Timer next;

    /**
     * A heartbeat for leases of at least this length.
     *
     * @param held returns the tasks of the worker that hold leases
     */
    Heartbeat(EngineContext context, WorkerSettings settings, long shortestLeaseMillis, Supplier<List<Task<?>>> held) {
        this.context = context;
        this.settings = settings;
        this.held = held;
        long millis = Math.min(shortestLeaseMillis / 4, settings.maxRuntime().toMillis() / 2);
        this.beatNanos = Math.max(1, millis) * 1_000_000;
    }

    /** The worker holds messages from now on: plans the first beat, unless one is planned. */
    void start() {
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
            // Read with the lock held: for messages that are received after this, start() finds that no beat is
            // planned.
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
        Map<WorkerSource<?>, List<Extension>> due = new HashMap<>();
        for (Task<?> task : tasks) {
            if (isOvertime(task, now)) {
                warnIfStuck(task, now);
                task.interrupt(Task.End.RUNTIME);
                continue;
            }
            long leaseNanos = task.source.terms.leaseMillis() * 1_000_000;
            for (HeldMessage held : task.toExtend()) {
                // While the storage does not answer, each message has one extension in flight, and not one per beat.
                if (held.leaseEndNanos() - now < leaseNanos * 2 / 3 && !held.isExtending()) {
                    due.computeIfAbsent(task.source, s -> new ArrayList<>()).add(new Extension(task, held));
                }
            }
        }
        due.forEach((source, messages) -> {
            int max = context.traits.maxBatch();
            for (int from = 0; from < messages.size(); from += max) {
                extend(source, messages.subList(from, Math.min(messages.size(), from + max)));
            }
        });
    }

    /** Whether a handler has run for longer than {@code maxRuntime}. */
    boolean isOvertime(Task<?> task, long nowNanos) {
        return task.runningNanos(nowNanos) > settings.maxRuntime().toNanos();
    }

    private void warnIfStuck(Task<?> task, long now) {
        Thread thread = task.stuckThread();
        if (thread == null) {
            return;
        }
        HeldMessage first = task.delivered.get(0);
        LOG.warn(
                "worker '{}': the handler of message {}{} of queue '{}', attempt {}, does not end: it was interrupted after"
                        + " {} and has run for {} now. It still counts towards the concurrency, and no worker of this factory"
                        + " receives the message before the handler ends. Thread '{}':{}",
                settings.name(),
                first.message.id(),
                task.size() == 1 ? "" : " and " + (task.size() - 1) + " more",
                task.source.queueName(),
                first.message.tries() + 1,
                Durations.format(settings.maxRuntime()),
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

    /** A message whose lease is to be extended. */
    private record Extension(Task<?> task, HeldMessage message) {}

    private void extend(WorkerSource<?> source, List<Extension> messages) {
        long leaseMillis = source.terms.leaseMillis();
        List<Receipt> receipts =
                messages.stream().map(each -> each.message().receipt()).toList();
        long end = context.clock.nanos() + leaseMillis * 1_000_000;
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(receipts, leaseMillis);
        messages.forEach(each -> each.message().setExtending(true));
        call.done.whenComplete((outcomes, failure) -> {
            messages.forEach(each -> each.message().setExtending(false));
            if (failure == null) {
                applyOutcomes(messages, outcomes, end);
            }
        });
        try {
            source.extend(call);
        } catch (RuntimeException | Error refused) {
            call.done.completeExceptionally(refused); // the next beat tries again; the other sources are extended now
        }
    }

    private static void applyOutcomes(List<Extension> messages, List<Outcome> outcomes, long end) {
        for (int i = 0; i < outcomes.size(); i++) {
            HeldMessage message = messages.get(i).message();
            Task<?> task = messages.get(i).task();
            if (outcomes.get(i) == Outcome.DONE) {
                message.setLeaseEnd(end);
            } else if (task.toExtend().contains(message)) {
                // The handler has not settled the message, so another consumer has claimed or removed it.
                message.markStale();
                if (task.delivered.stream().allMatch(HeldMessage::isStale)) {
                    task.interrupt(Task.End.STALE);
                }
            }
        }
    }
}
