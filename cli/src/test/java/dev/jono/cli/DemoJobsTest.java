package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.cli.DemoJob.Kind;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of the act about jobs: each of them finds what it is for. */
class DemoJobsTest {
    private static final int NUMBER = 400;
    private static final int TAKEN_OVER = 1;
    private static final int MUST_FAIL = 31;

    @TempDir
    private Path directory;

    private final DemoJobsLedger ledger = new DemoJobsLedger(NUMBER);
    private final List<DemoJob> jobs =
            IntStream.range(0, NUMBER).mapToObj(DemoJob::new).toList();
    private List<DemoEnd> ends = new ArrayList<>();

    /** A run in which everything is as it must be. */
    @BeforeEach
    void play() {
        ledger.enqueued(jobs);
        ledger.record("runner-1", "R 1:0 .");
        ledger.record("runner-1", "H 1 .");
        List<DemoJob> order = new ArrayList<>(jobs);
        order.sort(Comparator.comparing(DemoJob::priority));
        for (int place = 0; place < NUMBER; place++) {
            DemoJob job = order.get(place);
            for (int attempt = 1; attempt <= job.attempts(); attempt++) {
                boolean last = attempt == job.attempts() && !job.mustFail();
                ledger.record("runner-2", "R " + job.n() + ":" + (place + 1) + " .");
                ledger.record("runner-2", (last ? "D " : "F ") + job.n() + " .");
            }
            int more = job.n() == TAKEN_OVER ? 1 : 0;
            JobState state = job.mustFail() ? JobState.FAILED : JobState.SUCCEEDED;
            ends.add(new DemoEnd(job, state, job.attempts() + more, job.attempts(), "runner-2", true));
        }
    }

    private DemoSummary summary() {
        return summary("runner-1");
    }

    private DemoSummary summary(String killed) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        ends.forEach(end -> counts.merge(end.state(), 1L, Long::sum));
        return ledger.summary(counts, ends, killed);
    }

    private void change(int n, UnaryOperator<DemoEnd> change) {
        ends.replaceAll(end -> end.job().n() == n ? change.apply(end) : end);
    }

    @Test
    void all_is_as_it_must_be() {
        DemoSummary summary = summary();

        assertThat(summary.wrong()).isEmpty();
        assertThat(summary.number("succeeded")).isEqualTo(NUMBER - summary.number("failed"));
        assertThat(summary.number("failed")).isPositive();
        assertThat(summary.number("takenOver")).isEqualTo(1);
        assertThat(summary.rows()).noneMatch(row -> row.contains("WRONG"));
    }

    @Test
    void a_job_without_an_end_is_lost() {
        ends.removeIf(end -> end.job().n() == 8);

        assertThat(summary().wrong()).containsExactly("succeeded", "lost");
        assertThat(summary().number("lost")).isEqualTo(1);
        assertThat(summary().rows()).anyMatch(row -> row.matches("lost +1 +WRONG"));
    }

    @Test
    void a_job_that_still_waits_is_not_lost_but_wrong() {
        ends.removeIf(end -> end.job().n() == 8);

        DemoSummary summary = ledger.summary(
                Map.of(JobState.SUCCEEDED, (long) NUMBER - 2, JobState.FAILED, 1L, JobState.BLOCKED, 1L),
                ends,
                "runner-1");

        assertThat(summary.wrong()).contains("waiting or running").doesNotContain("lost");
    }

    @Test
    void a_job_that_was_not_enqueued_is_missed() {
        DemoJobsLedger more = new DemoJobsLedger(NUMBER + 1);
        more.enqueued(jobs);

        assertThat(more.summary(Map.of(), List.of(), "").wrong()).contains("enqueued");
    }

    @Test
    void counters_that_differ_from_the_records_are_wrong() {
        assertThat(ledger.summary(Map.of(JobState.SUCCEEDED, (long) NUMBER - 1, JobState.FAILED, 2L), ends, "runner-1")
                        .wrong())
                .containsExactly("failed");
    }

    @Test
    void two_jobs_that_end_in_each_others_state_are_wrong() {
        change(MUST_FAIL, end -> new DemoEnd(end.job(), JobState.SUCCEEDED, end.attempt(), end.runs(), "x", true));
        change(8, end -> new DemoEnd(end.job(), JobState.FAILED, end.attempt(), end.runs(), "x", true));

        assertThat(summary().wrong()).containsExactly("succeeded", "failed");
    }

    @Test
    void two_records_of_one_job_are_two_ends() {
        ends.add(ends.get(0));

        assertThat(summary().wrong()).contains("ended twice");
    }

    @Test
    void a_job_that_ends_in_two_runners_has_ended_twice() {
        ledger.record("runner-3", "R 8:900 .");
        ledger.record("runner-3", "D 8 .");

        assertThat(summary().wrong()).containsExactly("ended twice");
    }

    @Test
    void a_job_that_ends_twice_in_one_runner_has_ended_twice() {
        ledger.record("runner-2", "D 8 .");

        assertThat(summary().wrong()).containsExactly("ended twice");
    }

    @Test
    void a_job_that_the_killed_runner_had_ended_may_end_again() {
        ledger.record("runner-1", "R 8:1 .");
        ledger.record("runner-1", "D 8 .");

        assertThat(summary().wrong()).isEmpty();
    }

    @Test
    void a_payment_out_of_order_is_found() {
        ledger.record("runner-2", "O 5 .");

        assertThat(summary().wrong()).containsExactly("out of order");
    }

    @Test
    void low_mails_before_critical_ones_are_wrong() {
        jobs.stream()
                .filter(job -> job.priority() == JobPriority.LOW)
                .forEach(job -> ledger.record("runner-3", "R " + job.n() + ":0 ."));

        assertThat(summary().wrong()).containsExactly("median start of mails");
    }

    @Test
    void an_attempt_too_many_or_too_few_is_found() {
        change(8, end -> new DemoEnd(end.job(), end.state(), end.attempt() + 1, end.runs() + 1, end.runner(), true));
        change(7, end -> new DemoEnd(end.job(), end.state(), end.attempt() - 1, end.runs() - 1, end.runner(), true));

        assertThat(new DemoJob(7).attempts()).isEqualTo(2);
        assertThat(summary().wrong()).containsExactly("attempts");
        assertThat(summary().number("unexpectedAttempts")).isEqualTo(2);
    }

    @Test
    void more_interrupted_runs_than_the_killed_runner_can_have_are_wrong() {
        IntStream.rangeClosed(1, 2 * DemoJobs.CONCURRENCY)
                .forEach(i -> change(
                        4 * i,
                        end -> new DemoEnd(end.job(), end.state(), end.attempt() + 1, end.runs(), end.runner(), true)));

        assertThat(summary().wrong()).containsExactly("attempts");
    }

    @Test
    void a_video_without_its_result_is_found() {
        change(2, end -> new DemoEnd(end.job(), end.state(), end.attempt(), end.runs(), end.runner(), false));

        assertThat(summary().wrong()).containsExactly("recorded");
    }

    @Test
    void a_job_that_no_other_runner_takes_over_is_found() {
        ledger.record("runner-1", "R 8:1 .");

        assertThat(summary().wrong()).containsExactly("taken over");
    }

    @Test
    void a_demo_in_which_no_runner_was_killed_is_wrong() {
        assertThat(summary("").wrong()).containsExactly("taken over");
    }

    @Test
    void the_books_find_payments_that_are_not_in_order() throws Exception {
        DemoJob first = new DemoJob(1);
        DemoJob second = new DemoJob(1 + 4 * DemoJob.ACCOUNTS);
        DemoJob other = new DemoJob(5);
        Path file = directory.resolve("accounts");
        try (DemoAccounts accounts = new DemoAccounts(file);
                DemoAccounts elsewhere = new DemoAccounts(file)) {
            assertThat(accounts.begin(first)).isTrue();
            assertThat(elsewhere.begin(other)).as("another account").isTrue();
            assertThat(elsewhere.begin(first)).as("again after a crash").isTrue();
            assertThat(elsewhere.end(first)).isTrue();
            assertThat(accounts.begin(second)).isTrue();
            assertThat(elsewhere.begin(first)).as("an earlier one").isFalse();
            assertThat(accounts.end(second)).as("another one began").isFalse();
        }
        try (DemoAccounts accounts = new DemoAccounts(directory.resolve("others"))) {
            assertThat(accounts.begin(second)).as("the first is missing").isFalse();
        }
        try (DemoAccounts accounts = new DemoAccounts(directory.resolve("more"))) {
            assertThat(accounts.begin(first)).isTrue();
            assertThat(accounts.begin(second)).as("the first is not done").isFalse();
        }
    }

    @Test
    void the_storage_tells_what_the_handlers_reported_and_what_they_did_not() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("memory:");
                DemoAccounts accounts = new DemoAccounts(directory.resolve("accounts"));
                PipedOutputStream parent = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(parent)) {
            DemoJobs all = new DemoJobs(jono, "demo-");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            all.enqueue(jobs);
            DemoHandler handler = new DemoHandler(
                    accounts, SharedClock.start(), new DemoReport(out), new ParentWatch(in), Integer.MAX_VALUE);
            JobRunner runner = all.start("runner-2", handler);
            awaitAll(all);
            runner.close();

            assertThat(all.ends()).hasSize(NUMBER).allMatch(DemoEnd::told).allMatch(DemoEnd::isAsMeant);
            DemoJobsLedger recorded = new DemoJobsLedger(NUMBER);
            recorded.enqueued(jobs);
            out.toString(StandardCharsets.US_ASCII).lines().forEach(line -> recorded.record("runner-2", line));
            assertThat(recorded.summary(all.counts(), all.ends(), "").wrong()).containsExactly("taken over");
            all.remove();
            assertThat(all.counts()).isEmpty();
        }
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            DemoJobs all = new DemoJobs(jono, "demo-");
            all.enqueue(jobs);
            JobRunner runner = all.start("runner-2", (job, run) -> job.frames());
            awaitAll(all);
            runner.close();
            assertThat(all.ends()).hasSize(NUMBER).noneMatch(DemoEnd::told);
        }
    }

    private static void awaitAll(DemoJobs all) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> DemoJobs.open(all.counts()) == 0);
    }

    @Test
    void a_runner_that_hangs_waits_for_its_parent_in_each_job() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PipedOutputStream parent = new PipedOutputStream();
        try (QueueFactory jono = QueueFactory.connect("memory:");
                DemoAccounts accounts = new DemoAccounts(directory.resolve("accounts"));
                PipedInputStream in = new PipedInputStream(parent)) {
            DemoJobs all = new DemoJobs(jono, "demo-");
            all.enqueue(jobs);
            DemoHandler handler =
                    new DemoHandler(accounts, SharedClock.start(), new DemoReport(out), new ParentWatch(in), 10);
            try (JobRunner runner = all.start("runner-1", handler)) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> out.toString(StandardCharsets.US_ASCII)
                                        .lines()
                                        .filter(line -> line.startsWith(DemoReport.HANGING))
                                        .count()
                                == DemoJobs.CONCURRENCY);
                assertThat(runner.status().running()).isEqualTo(DemoJobs.CONCURRENCY);
                parent.close();
                awaitAll(all);
            }
        }
        String first = out.toString(StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.startsWith(DemoReport.HANGING))
                .findFirst()
                .orElseThrow();
        assertThat(new DemoJob(Integer.parseInt(first.split(" ", -1)[1])).kind())
                .isEqualTo(Kind.PAYMENT);
    }
}
