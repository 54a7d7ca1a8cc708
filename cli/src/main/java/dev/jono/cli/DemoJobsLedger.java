package dev.jono.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.cli.DemoJob.Kind;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobState;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The ledger of the act about jobs. Thread-safe. */
final class DemoJobsLedger extends DemoLedger {
    private final int wanted;

    @GuardedBy("lock") private final BitSet enqueued = new BitSet();

    /** When the first run of a job began, in microseconds; by its number. */
    @GuardedBy("lock") private final Map<Integer, Long> firstRuns = new HashMap<>();

    /** The jobs whose handlers returned, by process. */
    @GuardedBy("lock") private final Map<String, BitSet> ended = new HashMap<>();

    @GuardedBy("lock") private long runs;

    @GuardedBy("lock") private long failures;

    @GuardedBy("lock") private long endedTwice;

    @GuardedBy("lock") private long outOfOrder;

    /** @param wanted the number of jobs */
    DemoJobsLedger(int wanted) {
        this.wanted = wanted;
    }

    /** The storage has stored these jobs. */
    void enqueued(List<DemoJob> jobs) {
        lock.lock();
        try {
            countEvent();
            jobs.forEach(job -> enqueued.set(job.n()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    @GuardedBy("lock")
    void record(String process, String what, int n, long value) {
        switch (what) {
            case DemoReport.BEGUN -> {
                runs++;
                firstRuns.merge(n, value, Math::min);
                holding(process).set(n);
            }
            case DemoReport.ENDED -> {
                BitSet endedHere = ended.computeIfAbsent(process, name -> new BitSet());
                endedTwice += endedHere.get(n) ? 1 : 0;
                endedHere.set(n);
                holding(process).clear(n);
            }
            case DemoReport.FAILED -> {
                failures++;
                holding(process).clear(n);
            }
            case DemoReport.OUT_OF_ORDER -> outOfOrder++;
            case DemoReport.HANGING -> {}
            default -> throw new IllegalArgumentException("process " + process + " reported " + what);
        }
    }

    @Override
    boolean isTimeToKill(String victim, String line) {
        return line.startsWith(DemoReport.HANGING);
    }

    /** Whether a runner has begun to run a job. */
    boolean hasBegun() {
        lock.lock();
        try {
            return runs > 0;
        } finally {
            lock.unlock();
        }
    }

    /** The progress as one line. */
    String progress() {
        lock.lock();
        try {
            return String.format(
                    Locale.ROOT, "enqueued %,d  runs %,d  failed runs %,d", enqueued.cardinality(), runs, failures);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Computes the summary.
     *
     * @param counts how many jobs are in each state, according to the storage
     * @param ends the ended jobs, according to the storage
     * @param killed the runner that was killed; empty if none was
     */
    DemoSummary summary(Map<JobState, Long> counts, List<DemoEnd> ends, String killed) {
        lock.lock();
        try {
            BitSet all = new BitSet();
            ends.forEach(end -> all.set(end.job().n()));
            DemoSummary.Builder summary = new DemoSummary.Builder("jobs");
            summary.check(
                    "enqueued",
                    "enqueued",
                    enqueued.cardinality(),
                    enqueued.cardinality() == wanted ? "" : wanted + " wanted",
                    enqueued.cardinality() == wanted);
            addState(summary, "succeeded", JobState.SUCCEEDED, counts, ends);
            addState(summary, "failed", JobState.FAILED, counts, ends);
            long open = DemoJobs.open(counts);
            summary.check("unfinished", "waiting or running", open, "", open == 0);
            long lost = Math.max(0, without(enqueued, all).cardinality() - open);
            summary.check("lost", "lost", lost, "", lost == 0);
            long twice = ends.size() - all.cardinality() + endedTwice + endedByTwo(killed);
            summary.check("endedTwice", "ended twice", twice, "", twice == 0);
            addOrder(summary);
            addPriorities(summary);
            addAttempts(summary, ends);
            addReports(summary, ends);
            addKilled(summary, ends, killed);
            return summary.fact("jobsPerSecond", "throughput", Math.round(all.cardinality() / seconds()), perSecond())
                    .field("seconds", seconds())
                    .build();
        } finally {
            lock.unlock();
        }
    }

    private static BitSet without(BitSet all, BitSet some) {
        BitSet rest = (BitSet) all.clone();
        rest.andNot(some);
        return rest;
    }

    /** The jobs of this state must be those that are meant to end in it, and the storage must count as many. */
    @GuardedBy("lock") private void addState(
            DemoSummary.Builder summary, String name, JobState state, Map<JobState, Long> counts, List<DemoEnd> ends) {
        long number = ends.stream().filter(end -> end.state() == state).count();
        long meant = enqueued.stream()
                .filter(n -> new DemoJob(n).mustFail() == (state == JobState.FAILED))
                .count();
        long counted = counts.getOrDefault(state, 0L);
        boolean good = number == meant
                && counted == meant
                && ends.stream().filter(end -> end.state() == state).allMatch(DemoEnd::isAsMeant);
        String remark = String.format(Locale.ROOT, "%,d expected, %,d by the counters", meant, counted);
        summary.check(name, name, number, remark, good);
    }

    /** The number of jobs whose handlers returned in two runners. After a kill that is allowed: a job can run again. */
    @GuardedBy("lock") private long endedByTwo(String killed) {
        BitSet before = new BitSet();
        long twice = 0;
        for (Map.Entry<String, BitSet> each : ended.entrySet()) {
            if (!each.getKey().equals(killed)) {
                twice += each.getValue().stream().filter(before::get).count();
                before.or(each.getValue());
            }
        }
        return twice;
    }

    /** The handlers have checked the order of each payment that has run. */
    @GuardedBy("lock") private void addOrder(DemoSummary.Builder summary) {
        long payments = enqueued.stream()
                .filter(n -> new DemoJob(n).kind() == Kind.PAYMENT)
                .count();
        long run = firstRuns.keySet().stream()
                .filter(n -> new DemoJob(n).kind() == Kind.PAYMENT)
                .count();
        String remark = String.format(Locale.ROOT, "of %,d payments of %d accounts", run, DemoJob.ACCOUNTS);
        summary.check("outOfOrder", "out of order", outOfOrder, remark, outOfOrder == 0 && run == payments);
    }

    /**
     * Compares the places of the mails in the order of their first runs. All were enqueued before the first run, so half of the
     * critical ones began before half of the low ones, however fast the runners are.
     */
    @GuardedBy("lock") private void addPriorities(DemoSummary.Builder summary) {
        List<DemoJob> mails = firstRuns.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(first -> new DemoJob(first.getKey()))
                .filter(job -> job.kind() == Kind.MAIL)
                .toList();
        StringBuilder places = new StringBuilder();
        for (JobPriority priority : JobPriority.values()) {
            places.append(places.isEmpty() ? "" : ", ")
                    .append(priority.name().toLowerCase(Locale.ROOT))
                    .append(String.format(Locale.ROOT, " %,d", medianPlace(mails, priority)));
        }
        long critical = medianPlace(mails, JobPriority.CRITICAL);
        long low = medianPlace(mails, JobPriority.LOW);
        summary.row("median start of mails", places.toString(), "", critical < low)
                .field("medianStartCritical", critical)
                .field("medianStartLow", low);
    }

    private static int medianPlace(List<DemoJob> inOrder, JobPriority priority) {
        int[] places = IntStream.range(0, inOrder.size())
                .filter(place -> inOrder.get(place).priority() == priority)
                .toArray();
        return places.length == 0 ? -1 : places[places.length / 2];
    }

    /**
     * Each job must have the attempts that it needs. Only those that the killed runner had can have one more: as many as it may run at
     * the same time, and as many again whose ends were being stored.
     */
    @GuardedBy("lock") private void addAttempts(DemoSummary.Builder summary, List<DemoEnd> ends) {
        long wrong = ends.stream().filter(end -> !end.hasExpectedAttempts()).count();
        long interrupted = ends.stream().filter(end -> end.interrupted() > 0).count();
        long attempts = ends.stream().mapToLong(DemoEnd::attempt).sum();
        String remark = wrong + " jobs with other attempts than expected";
        summary.check("attempts", "attempts", attempts, remark, wrong == 0 && interrupted <= 2 * DemoJobs.CONCURRENCY)
                .field("failedRuns", failures)
                .field("unexpectedAttempts", wrong)
                .field("interrupted", interrupted);
    }

    @GuardedBy("lock") private void addReports(DemoSummary.Builder summary, List<DemoEnd> ends) {
        long videos = enqueued.stream()
                .filter(n -> new DemoJob(n).kind() == Kind.VIDEO)
                .count();
        long told = ends.stream()
                .filter(end -> end.job().kind() == Kind.VIDEO && end.told())
                .count();
        String remark = String.format(Locale.ROOT, "of %,d videos, with progress, log and result", videos);
        summary.check(
                "recorded",
                "recorded",
                told,
                remark,
                told == videos && ends.stream().allMatch(DemoEnd::told));
    }

    /** All jobs that the killed runner had must have been ended by others. */
    @GuardedBy("lock") private void addKilled(DemoSummary.Builder summary, List<DemoEnd> ends, String killed) {
        BitSet held = killed.isEmpty() ? new BitSet() : holding(killed);
        long takenOver = ends.stream()
                .filter(end -> held.get(end.job().n()) && !end.runner().equals(killed) && end.interrupted() == 1)
                .count();
        String remark =
                killed.isEmpty() ? "no runner was killed" : "of " + held.cardinality() + " of the killed runner";
        summary.check("takenOver", "taken over", takenOver, remark, !held.isEmpty() && takenOver == held.cardinality())
                .field("heldByKilled", held.cardinality());
    }
}
