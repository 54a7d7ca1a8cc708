package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases of a worker's messages alive, a third of a lease before each could end at the latest, until a handler
 * has run for too long. One timer per worker, while it holds anything.
 */
final class Heartbeat {
    private final WorkerImpl worker;
    private final Context context;
    private final long beatNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean planned;

    @GuardedBy("lock") private boolean stopped;

    @GuardedBy("lock") private JonoClock.@Nullable Timer next;

    /** A heartbeat for leases that are as long as this, or longer. */
    Heartbeat(WorkerImpl worker, long shortestLeaseMillis) {
        this.worker = worker;
        this.context = worker.context;
        long millis =
                Math.min(shortestLeaseMillis / 4, worker.limits.maxRuntime().toMillis() / 2);
        this.beatNanos = Math.max(1, millis) * 1_000_000;
    }

    /** Messages are held from now on. */
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
            // Read with the lock held: what is received after this finds that nothing is planned.
            tasks = worker.tasks();
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
            if (task.runningNanos(now) > worker.limits.maxRuntime().toNanos()) {
                task.interrupt(Task.End.RUNTIME);
                continue;
            }
            long leaseNanos = task.source.terms.leaseMillis() * 1_000_000;
            for (Delivered delivered : task.alive()) {
                if (delivered.leaseEndNanos() - now < leaseNanos * 2 / 3) {
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

    private record Alive(Task<?> task, Delivered delivered) {}

    private void extend(WorkerSource<?> source, List<Alive> messages) {
        long leaseMillis = source.terms.leaseMillis();
        List<Receipt> receipts =
                messages.stream().map(alive -> alive.delivered().receipt()).toList();
        long end = context.clock.nanos() + leaseMillis * 1_000_000;
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(receipts, leaseMillis);
        call.done.thenAccept(outcomes -> {
            for (int i = 0; i < outcomes.size(); i++) {
                Alive alive = messages.get(i);
                if (outcomes.get(i) == Outcome.DONE) {
                    alive.delivered().extended(end);
                } else if (alive.task().alive().contains(alive.delivered())) {
                    // Not settled meanwhile by its handler, so somebody else has it.
                    alive.delivered().lose();
                    if (alive.task().delivered.stream().allMatch(Delivered::lost)) {
                        alive.task().interrupt(Task.End.LOST);
                    }
                }
            }
        });
        source.spec.queue().handle.core.extensions.submitInternal(call);
    }
}
