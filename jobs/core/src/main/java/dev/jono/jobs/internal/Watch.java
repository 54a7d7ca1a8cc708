package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.jobs.spi.StoredRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the records of running jobs twice a second, and interrupts runs whose jobs have ended: another process may have cancelled
 * them. Enqueues the jobs of due schedules at the same times, reports the runners every five seconds, and sweeps every ten seconds. One per factory; active while the factory has runners. Thread-safe.
 */
final class Watch {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int LOOKS_PER_REPORT = 10;
    private static final int LOOKS_PER_SWEEP = 20;

    private final JobsContext context;
    private final Sweeper sweeper;
    private final DueSchedules schedules;
    private final BatchAudit audit;
    private final LatestSweep payloads;
    private final RunnerEntries entries;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Set<RunnerImpl> runners = new HashSet<>();

    @GuardedBy("lock") private JonoClock.@Nullable Timer timer;

    @GuardedBy("lock") private int looks;

    Watch(JobsContext context, BatchAudit audit, RunnerEntries entries) {
        this.audit = audit;
        this.entries = entries;
        this.context = context;
        this.sweeper = new Sweeper(context);
        this.schedules = new DueSchedules(context);
        this.payloads = new LatestSweep(context);
    }

    void add(RunnerImpl runner, RunnerReport report) {
        lock.lock();
        try {
            runners.add(runner);
            lookLater();
        } finally {
            lock.unlock();
        }
        entries.add(report);
    }

    /** Removes a runner that has stopped. Completes when its entry is removed, or that was tried. */
    CompletableFuture<Boolean> remove(RunnerImpl runner, RunnerReport report) {
        lock.lock();
        try {
            runners.remove(runner);
            if (runners.isEmpty() && timer != null) {
                timer.cancel();
                timer = null;
            }
        } finally {
            lock.unlock();
        }
        return entries.remove(report);
    }

    /** Reports the runners now. */
    void reportRunners() {
        entries.report();
    }

    List<RunnerImpl> runners() {
        lock.lock();
        try {
            return List.copyOf(runners);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void lookLater() {
        if (timer == null && !runners.isEmpty()) {
            timer = context.clock.schedule(LOOK_NANOS, this::startLook);
        }
    }

    private void startLook() {
        boolean report;
        boolean sweep;
        lock.lock();
        try {
            timer = null;
            looks++;
            report = looks % LOOKS_PER_REPORT == 0;
            sweep = looks % LOOKS_PER_SWEEP == 0;
            lookLater();
        } finally {
            lock.unlock();
        }
        context.execute(() -> {
            look();
            if (report) {
                entries.report();
            }
            if (sweep) {
                sweeper.sweep();
                audit.look();
                payloads.look();
                entries.removeDead();
            }
        });
        context.execute(schedules::look);
    }

    /** Enqueues the jobs of due schedules now. */
    void lookAtSchedules() {
        schedules.lookAtAll();
    }

    private void look() {
        Set<RunImpl> runs = Set.copyOf(context.running);
        if (!runs.isEmpty()) {
            context.store
                    .read(runs.stream().map(RunImpl::id).distinct().toList())
                    .thenAccept(records -> interruptEnded(runs, records));
        }
    }

    private static void interruptEnded(Set<RunImpl> runs, Map<String, StoredRecord> records) {
        for (RunImpl run : runs) {
            StoredRecord record = records.get(run.id());
            if (record != null && record.state().isEnded()) {
                run.interrupt(RunImpl.Interruption.ENDED);
            }
        }
    }
}
