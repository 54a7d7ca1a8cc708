package dev.jono.cli;

import dev.jono.jobs.JobState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The second act of the demo: jobs that several processes run. Used by one thread. */
final class DemoJobsAct {
    private static final int RUNNERS = 3;
    private static final String VICTIM = "runner-1";
    private static final String DEATH = "ran jobs; they run again when their leases end";
    /** The share of the jobs that the victim runs before it hangs and is killed. */
    private static final double KILL_AT = 0.15;

    private static final int BATCH = 500;

    private final DemoSetting setting;
    private final DemoJobs jobs;
    private final DemoJobsLedger ledger;
    private final int number;

    /**
     * Prepares the act.
     *
     * @param number the number of jobs
     * @throws dev.jono.ConfigurationException if the storage has no jobs
     */
    DemoJobsAct(DemoSetting setting, int number) {
        this.setting = setting;
        this.jobs = new DemoJobs(setting.jono(), setting.prefix());
        this.ledger = new DemoJobsLedger(number);
        this.number = number;
    }

    /** Plays the act. */
    DemoSummary play() throws IOException, InterruptedException {
        setting.display()
                .say(String.format(
                        Locale.ROOT, "jobs: %,d jobs; %d runners, one of which will be killed", number, RUNNERS));
        try (DemoProcesses processes = new DemoProcesses(setting, ledger, VICTIM, DEATH)) {
            enqueue();
            SharedClock clock = SharedClock.start();
            // The victim gets a start, so that it is sure to have jobs.
            String hangAfter = Integer.toString((int) (number * KILL_AT));
            List<String> victim = runner(clock, VICTIM);
            victim.addAll(List.of("--hang-after", hangAfter));
            processes.start(VICTIM, victim);
            processes.watch(() -> new DemoProcesses.Standing(ledger.hasBegun(), ledger.progress()));
            for (int i = 2; i <= RUNNERS; i++) {
                processes.start("runner-" + i, runner(clock, "runner-" + i));
            }
            processes.watch(this::standing);
            boolean killed = processes.stop();
            return ledger.summary(jobs.counts(), jobs.ends(), killed ? VICTIM : "");
        } finally {
            setting.display().clear();
        }
    }

    /** Removes the jobs from a storage that outlives the demo. */
    void removeJobs() throws InterruptedException {
        if (!setting.temporary()) {
            setting.display().say("removing the jobs from the storage");
            jobs.remove();
        }
    }

    /** Enqueues all jobs before the first runner starts, so that it has the choice of all priorities. */
    private void enqueue() {
        for (int from = 0; from < number; from += BATCH) {
            List<DemoJob> batch = IntStream.range(from, Math.min(number, from + BATCH))
                    .mapToObj(DemoJob::new)
                    .toList();
            jobs.enqueue(batch);
            ledger.enqueued(batch);
            setting.display().show(ledger.progress());
        }
    }

    private List<String> runner(SharedClock clock, String name) {
        Path accounts = setting.directory().resolve("accounts");
        return setting.child("demo-runner", clock, "--name", name, "--accounts", accounts.toString());
    }

    private DemoProcesses.Standing standing() {
        Map<JobState, Long> counts = jobs.counts();
        long open = DemoJobs.open(counts);
        return new DemoProcesses.Standing(
                open == 0,
                ledger.progress()
                        + String.format(
                                Locale.ROOT,
                                "  succeeded %,d  failed %,d  open %,d",
                                counts.getOrDefault(JobState.SUCCEEDED, 0L),
                                counts.getOrDefault(JobState.FAILED, 0L),
                                open));
    }
}
