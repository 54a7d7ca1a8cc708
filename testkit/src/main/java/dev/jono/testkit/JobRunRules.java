package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.QueueFactory;
import dev.jono.RejectException;
import dev.jono.TypeRef;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobNotSucceededException;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Runs of jobs: attempts, results, failures, priorities. */
abstract class JobRunRules extends JobCase {
    JobRunRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private static String shout(String text) {
        return text.toUpperCase(java.util.Locale.ROOT);
    }

    @Test
    void jobRunsAndItsResultIsKept() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.tag("greeting"));
        assertThat(state(job)).isEqualTo(JobState.WAITING);
        assertThat(view(job).payload().text()).isEqualTo("\"hello\"");
        start(jobs().runner().name("r1").handle(SHOUT, (text, run) -> shout(text)));
        assertThat(result(job)).isEqualTo("HELLO");
        JobView ended = view(job);
        assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ended.result()).contains("\"HELLO\"");
        assertThat(ended.tags()).containsExactly("greeting");
        assertThat(ended.endedAt()).isPresent();
        assertThat(ended.attempts()).extracting(JobAttempt::runner).containsExactly("r1");
        awaitReal("the ack", () -> waiting().totalSize() == 0);
    }

    @Test
    void wrongArgumentIsNamedAsTheUserKnowsIt() {
        List<String> payloads = Arrays.asList("hello", Unchecked.<String>nullOf());
        List<ThrowingCallable> enqueues = List.of(
                () -> jobs().enqueue(SHOUT, Unchecked.<String>nullOf()),
                () -> jobs().enqueueAll(SHOUT, payloads, options -> options),
                () -> jobs().batch("import").enqueueAll(SHOUT, payloads, options -> options));
        assertThat(enqueues)
                .allSatisfy(enqueue -> assertThatThrownBy(enqueue)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContainingAll("payload", "type 'shout'"));
        assertThat(jobs().counts()).isEmpty();
        assertThat(jobs().findBatch("import").orElseThrow().added()).isZero();
        List<ThrowingCallable> uses = List.of(
                () -> jobs().counts("bad name"),
                () -> jobs().pause("bad name"),
                () -> jobs().find(JobQuery.ofType("bad name")));
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("job type 'bad name' is not allowed"));
    }

    @Test
    void otherClientsSeeTheJob() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        QueueFactory other = client();
        assertThat(jobs(other).get(job.id()).orElseThrow().state()).isEqualTo(JobState.WAITING);
        start(jobs(other).runner().handle(SHOUT, (text, run) -> shout(text)));
        assertThat(result(job)).isEqualTo("HELLO");
        assertThat(jobs(client()).get(job.id()).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void resultCanBeAwaitedByIdInAnotherClient() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        start(jobs().runner().handle(SHOUT, (text, run) -> shout(text)));
        Jobs other = jobs(client());
        assertThat(passUntilDone(
                        "the result",
                        inBackground(() -> String.valueOf(other.await(SHOUT, job.id(), Duration.ofDays(1))))))
                .isEqualTo("HELLO");
        JobType<String, Void> another = JobType.of("another", String.class);
        assertThatThrownBy(() -> other.await(another, job.id(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.get("no type:1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void failedAttemptIsRetriedAfterTheBackoffAndRecorded() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            if (run.attempt() < 3) {
                throw new IllegalStateException("attempt " + run.attempt());
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        // No time passes meanwhile, so that the next attempt does not begin.
        awaitReal("the first failure", () -> state(job) == JobState.RETRYING);
        assertThat(view(job).reason().orElseThrow()).contains("attempt ");
        assertThat(result(job)).isEqualTo("hello");
        List<JobAttempt> attempts = view(job).attempts();
        assertThat(attempts).extracting(JobAttempt::number).containsExactly(1, 2, 3);
        assertThat(attempts.get(0).error()).contains("IllegalStateException").contains("attempt 1");
        assertThat(attempts.get(2).failure()).isEmpty();
        assertThat(view(job).reason()).isEmpty();
    }

    @Test
    void lastFailureEndsTheJobAndARetryRunsItAgain() {
        JobType<String, String> type = SHOUT.maxAttempts(2).backoff(attempt -> Duration.ZERO);
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(type, (text, run) -> {
            if (runs.incrementAndGet() <= 2) {
                throw new IllegalStateException("broken");
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(runs).hasValue(2);
        assertThat(view(job).reason().orElseThrow()).contains("broken");
        assertThatThrownBy(() -> job.await(Duration.ofSeconds(1)))
                .isInstanceOf(JobNotSucceededException.class)
                .hasMessageContaining(job.id())
                .hasMessageContaining("broken");
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
        assertThat(jobs().retry(job.id())).isTrue();
        assertThat(result(job)).isEqualTo("hello");
        assertThat(jobs().retry(job.id())).isFalse();
        assertThat(deadLetters().totalSize()).isZero();
    }

    @Test
    void handlerCanGiveUp() {
        JobRunner runner = start(jobs().runner().handle(SHOUT, (text, run) -> {
            throw run.fail("no such file");
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(view(job).reason()).contains("no such file");
        assertThat(view(job).attempts()).hasSize(1);
        awaitReal("the status", () -> runner.status().failed() == 1);
        assertThat(runner.status().succeeded()).isZero();
    }

    @Test
    void handlerThatRejectsEndsTheJobAsFailed() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            throw new RejectException("not for me");
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(view(job).reason().orElseThrow()).contains("not for me");
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
    }

    @Test
    void snoozedRunDoesNotCount() {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(type, (text, run) -> {
            if (runs.incrementAndGet() < 3) {
                throw run.snooze(seconds(1));
            }
            return run.attempt() + " " + text;
        }));
        assertThat(result(jobs().enqueue(type, "hello"))).isEqualTo("1 hello");
    }

    @Test
    void runThatACrashEndedCounts() throws Exception {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        JobHandle<String> job = jobs().enqueue(type, "hello");
        assertThat(waiting().reserve(Duration.ZERO)).isPresent(); // a runner that dies
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(type, (text, run) -> {
            runs.incrementAndGet();
            return text;
        }));
        passUntil(job, JobState.FAILED);
        assertThat(runs).hasValue(0);
        assertThat(view(job).reason().orElseThrow()).contains("runner died");
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
    }

    @Test
    void unreadablePayloadFailsLikeAnyOtherAndStaysAsItIs() {
        JobType<Integer, Void> numbers =
                JobType.of("shout", Integer.class).maxAttempts(2).backoff(attempt -> Duration.ZERO);
        JobHandle<String> job = jobs().enqueue(SHOUT, "no number");
        start(jobs().runner().handle(numbers, (number, run) -> null));
        JobHandle<Void> good = jobs().enqueue(numbers, 7);
        assertThat(result(good)).isNull();
        passUntil(job, JobState.FAILED);
        assertThat(view(job).attempts()).hasSize(2);
        assertThat(view(job).payload().text()).isEqualTo("\"no number\"");
    }

    @Test
    void typeWithoutAHandlerDoesNotHoldUpOthers() {
        JobHandle<Void> unknown = jobs().enqueue(JobType.of("unknown", String.class), "x");
        start(jobs().runner().handle(SHOUT, (text, run) -> shout(text)));
        assertThat(result(jobs().enqueue(SHOUT, "hello"))).isEqualTo("HELLO");
        assertThat(state(unknown)).isEqualTo(JobState.WAITING);
    }

    @Test
    void resultThatIsTooLargeFailsTheJobAtOnce() {
        JobType<String, String> type = SHOUT;
        start(jobs().runner().handle(type, (text, run) -> "x".repeat(65_536)));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(view(job).attempts()).hasSize(1);
        assertThat(view(job).reason().orElseThrow()).contains("65538 bytes").contains("65536");
    }

    @Test
    void jobThatIsNotStartedInTimeExpires() {
        JobType<String, String> type = SHOUT.expiresAfter(seconds(2));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        pass(seconds(4));
        start(jobs().runner().handle(type, (text, run) -> text));
        passUntil(job, JobState.EXPIRED);
        assertThat(view(job).reason().orElseThrow()).contains("not started within");
        awaitReal("the ack", () -> waiting().totalSize() == 0);
    }

    @Test
    void jobWaitsForItsDueTime() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.delay(seconds(60)));
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
        assertThat(state(job)).isEqualTo(JobState.SCHEDULED);
        assertThat(result(job)).isEqualTo("hello");
    }

    @Test
    void numbersOfAResultKeepTheirDigits() {
        JobType<String, Map<String, BigDecimal>> type =
                JobType.of("sum", String.class).returning(new TypeRef<Map<String, BigDecimal>>() {});
        start(jobs().runner().handle(type, (text, run) -> Map.of("sum", new BigDecimal("12345678901234567.890"))));
        assertThat(result(jobs().enqueue(type, "x"))).isEqualTo(Map.of("sum", new BigDecimal("12345678901234567.890")));
    }

    @Test
    void jobThatHasReportedSomethingLeavesNoRecordEitherIfItsTypeKeepsNothing() {
        JobType<String, String> type = SHOUT.keep(Duration.ZERO, Duration.ofDays(1));
        start(jobs().runner().handle(type, (text, run) -> {
            run.progress(1, 2);
            if (run.attempt() == 1) {
                throw new IllegalStateException("once");
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil("the job to be gone", () -> job.view().isEmpty());
    }

    @Test
    void typeThatKeepsNothingLeavesNoRecord() {
        JobType<String, String> type = SHOUT.keep(Duration.ZERO, Duration.ofDays(1));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        start(jobs().runner().handle(type, (text, run) -> text));
        passUntil("the job to be gone", () -> job.view().isEmpty());
        assertThatThrownBy(() -> job.await(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void strictPrioritiesComeInTheirOrder() {
        List<JobPriority> order = List.of(JobPriority.values());
        for (int i = order.size() - 1; i >= 0; i--) {
            JobPriority priority = order.get(i);
            jobs().enqueue(SHOUT, priority.name(), o -> o.priority(priority));
        }
        Queue<String> started = new ConcurrentLinkedQueue<>();
        start(jobs().runner().strictPriorities().handle(SHOUT, (text, run) -> {
            started.add(text);
            return text;
        }));
        passUntil("all jobs", () -> started.size() == order.size());
        assertThat(started)
                .containsExactlyElementsOf(order.stream().map(JobPriority::name).toList());
    }

    @Test
    void competingRunnersRunEachJobOnce() {
        int count = 300;
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        for (int c = 0; c < 3; c++) {
            start(jobs(client()).runner().concurrency(4).handle(SHOUT, (text, run) -> {
                ran.add(text);
                return text;
            }));
        }
        List<JobHandle<String>> all = jobs().enqueueAll(SHOUT, WorkerCase.numbered(count), o -> o);
        awaitReal("the last ack", () -> waiting().totalSize() == 0);
        assertThat(ran).hasSize(count).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(job -> assertThat(state(job)).isEqualTo(JobState.SUCCEEDED));
    }
}
