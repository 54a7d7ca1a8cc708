package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.WorkerStatus;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress, log, cancel, retention, and the order of record and message. */
abstract class JobRecordRules extends JobCase {
    JobRecordRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void progressAndLogAreSeenWhileTheJobRuns() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            run.progress(1, 4, Map.of("file", text));
            run.log("decoded {} in {} ms", text, 17);
            mayEnd.await();
            run.progress(4, 4);
            run.log("done");
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "a.png");
        passUntil("the progress", () -> view(job).progress().isPresent());
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(view(job).progress()).contains(new JobProgress(1, 4, "{\"file\":\"a.png\"}"));
        passUntil("the log", () -> !jobs(client()).log(job.id()).isEmpty());
        mayEnd.countDown();
        result(job);
        assertThat(view(job).progress().orElseThrow().percent()).isEqualTo(100);
        assertThat(jobs().log(job.id())).extracting(JobLogLine::text).containsExactly("decoded a.png in 17 ms", "done");
    }

    @Test
    void logKeepsTheLastThousandLines() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            IntStream.range(0, 1200).forEach(i -> run.log("line {}", i));
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        result(job);
        List<JobLogLine> lines = jobs().log(job.id());
        assertThat(lines).hasSize(1000);
        assertThat(lines.get(0).text()).isEqualTo("line 200");
    }

    @Test
    void cancelledJobNeverStarts() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        assertThat(job.cancel("not needed")).isTrue();
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(view(job).reason()).contains("not needed");
        assertThat(job.cancel("again")).isFalse();
        assertThat(waiting().totalSize()).isZero();
    }

    @Test
    void runningJobSeesThatAnotherClientHasCancelledIt() {
        AtomicBoolean seen = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.set(run.cancelled());
            }
            return "too late";
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        awaitReal("the run", () -> begun.getCount() == 0);
        assertThat(jobs(client()).cancel(job.id(), "not needed")).isTrue();
        passUntil("the interrupt", seen::get);
        passUntil("the ack", () -> waiting().totalSize() == 0);
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(view(job).result()).isEmpty();
    }

    @Test
    void cancelledRunIsAnAttempt() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(jobs().runner().name("r1").concurrency(2).handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        JobHandle<String> here = jobs().enqueue(SHOUT, "here");
        JobHandle<String> elsewhere = jobs().enqueue(SHOUT, "elsewhere");
        passUntil(
                "the report of the runs",
                () -> jobs().runners().stream().anyMatch(runner -> runner.jobs().size() == 2));
        assertThat(here.cancel("not needed")).isTrue();
        assertThat(jobs(client()).cancel(elsewhere.id(), "not needed")).isTrue();
        passUntil("the acks", () -> waiting().totalSize() == 0);
        assertThat(List.of(here, elsewhere))
                .allSatisfy(job -> assertThat(view(job).attempts())
                        .singleElement()
                        .satisfies(attempt -> {
                            assertThat(attempt.number()).isEqualTo(1);
                            assertThat(attempt.runner()).isEqualTo("r1");
                            assertThat(attempt.start()).isNotNull();
                            assertThat(attempt.error()).isEqualTo("cancelled");
                        }));
    }

    @Test
    void attemptSaysHowLongItsJobWasDue() throws Exception {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", options -> options.delay(seconds(2)));
        Instant due = view(job).dueAt().orElseThrow();
        pass(seconds(5));
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
        result(job);
        assertThat(view(job).attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.due()).isEqualTo(due.truncatedTo(ChronoUnit.MILLIS));
            assertThat(attempt.queueTime().orElseThrow()).isGreaterThanOrEqualTo(seconds(2));
        });
    }

    @Test
    void runWhoseRunnerHasDiedIsAnAttempt() throws Exception {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        loseRun();
        start(jobs().runner().name("r1").handle(SHOUT, (text, run) -> text));
        result(job);
        assertThat(view(job).attempts()).extracting(JobAttempt::number).containsExactly(1, 2);
        assertThat(view(job).attempts()).extracting(JobAttempt::runner).containsExactly("", "r1");
        JobAttempt lost = view(job).attempts().get(0);
        assertThat(lost.start()).isNull();
        assertThat(lost.runTime()).isEmpty();
        assertThat(lost.failure().orElseThrow()).contains("runner died");
    }

    @Test
    void jobWhoseLastRunWasLostFailsAtThatAttempt() throws Exception {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        loseRun();
        start(jobs().runner().handle(SHOUT.maxAttempts(1), (text, run) -> text));
        passUntil(job, JobState.FAILED);
        assertThat(view(job).attempt()).isEqualTo(1);
        assertThat(view(job).attempts()).extracting(JobAttempt::number).containsExactly(1);
        retryFailed(job);
        assertThat(result(job)).isEqualTo("hello");
    }

    /** A runner has a job, and dies. */
    private void loseRun() throws InterruptedException {
        assertThat(waiting().reserve(1, Duration.ZERO, ReserveOptions.lease(Duration.ofSeconds(1))))
                .hasSize(1);
        pass(seconds(2));
    }

    /** A message can stay behind after the end of its job: a process died in between, or the message was given back. */
    @Test
    void jobThatHasEndedDoesNotRunAgain() throws Exception {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        assertThat(waiting().reserve(Duration.ZERO)).isPresent();
        assertThat(job.cancel("while a runner has it")).isTrue();
        assertIsAckedWithoutARun(job);
        assertThat(view(job).attempt()).isEqualTo(1);
    }

    /** A runner gets a job that was cancelled. */
    private void assertIsAckedWithoutARun(JobHandle<String> job) {
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            runs.incrementAndGet();
            return text;
        }));
        passUntil("the ack", () -> waiting().totalSize() == 0);
        assertThat(runs).hasValue(0);
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    }

    /** Its next delivery is its first attempt again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancelledJobThatIsGivenBackDoesNotRun(boolean moved) throws Exception {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        Reservation<EncodedPayload> held = waiting().reserve(Duration.ZERO).orElseThrow();
        assertThat(job.cancel("while a runner has it")).isTrue();
        held.release();
        if (moved) {
            assertThat(waiting().moveIdle(held.id(), deadLetters().name())).isEqualTo(EditOutcome.DONE);
            assertThat(deadLetters().moveIdle(held.id(), waiting().name())).isEqualTo(EditOutcome.DONE);
        }
        assertIsAckedWithoutARun(job);
    }

    @Test
    void cancelledJobThatSnoozesDoesNotWaitAgain() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            runs.incrementAndGet();
            begun.countDown();
            mayEnd.await();
            throw run.snooze(Duration.ofMinutes(1));
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        awaitReal("the run", () -> begun.getCount() == 0);
        CompletableFuture<Boolean> cancelled = inBackground(() -> jobs(client()).cancel(job.id(), "not needed"));
        mayEnd.countDown();
        passUntilDone("the cancel", cancelled);
        passUntil("an empty queue", () -> waiting().totalSize() == 0);
        assertThat(runs).hasValue(1);
    }

    @Test
    void retriedJobKeepsItsEarlierAttempts() {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        AtomicInteger runs = new AtomicInteger();
        start(jobs().runner().handle(type, (text, run) -> {
            if (runs.incrementAndGet() == 1) {
                run.log("first");
                throw new IllegalStateException("broken");
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil(job, JobState.FAILED);
        passUntil("the retry", () -> jobs().retry(job.id()));
        assertThat(result(job)).isEqualTo("hello");
        assertThat(view(job).attempts()).hasSize(2);
        assertThat(jobs().log(job.id())).extracting(JobLogLine::text).containsExactly("first");
    }

    @Test
    void moreEndedJobsThanOneSweepRemovesGoAfterTheirTime() {
        JobType<String, String> type = SHOUT.keep(Duration.ofSeconds(5), Duration.ofSeconds(5));
        start(jobs().runner().concurrency(20).handle(type, (text, run) -> text));
        List<JobHandle<String>> all = jobs().enqueueAll(type, WorkerCase.numbered(250), o -> o);
        passUntil(
                "all to be gone", () -> all.stream().allMatch(job -> job.view().isEmpty()));
    }

    private long succeeded() {
        return jobs().counts().getOrDefault(SHOUT.name(), Map.of()).getOrDefault(JobState.SUCCEEDED, 0L);
    }

    @Test
    void onlyTheLastSucceededJobsAreKept() {
        JobType<String, String> type = SHOUT.keepLast(3);
        JobHandle<String> cancelled = jobs().enqueue(type, "later", o -> o.delay(Duration.ofHours(1)));
        assertThat(cancelled.cancel("not needed")).isTrue();
        start(jobs().runner().handle(type, (text, run) -> {
            if (text.isEmpty()) {
                throw run.fail("nothing to shout");
            }
            return text;
        }));
        JobHandle<String> failed = jobs().enqueue(type, "");
        passUntil(failed, JobState.FAILED);
        List<JobHandle<String>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            pass(seconds(0.1)); // jobs that end in the same millisecond are equally old
            JobHandle<String> job = jobs().enqueue(type, "text" + i);
            all.add(job);
            passUntil(
                    "its end",
                    () -> job.view().filter(view -> !view.state().isEnded()).isEmpty());
        }
        passUntil("the older ones to be gone", () -> succeeded() == 3);
        assertThat(all.stream().map(job -> job.view().isPresent()))
                .containsExactly(false, false, false, false, false, true, true, true);
        assertThat(state(cancelled)).isEqualTo(JobState.CANCELLED);
        assertThat(state(failed)).isEqualTo(JobState.FAILED);
    }

    @Test
    void competingSweepsKeepAsManyAsTheyMust() {
        JobType<String, String> type = SHOUT.keepLast(5);
        for (int i = 0; i < 2; i++) {
            start(jobs(client()).runner().concurrency(10).handle(type, (text, run) -> text));
        }
        jobs().enqueueAll(type, WorkerCase.numbered(250), o -> o);
        passUntil("all to end", () -> waiting().totalSize() == 0);
        passUntil("the older ones to be gone", () -> succeeded() <= 5);
        assertThat(succeeded()).isEqualTo(5);
    }

    @Test
    void factoryClosesItsRunners() {
        QueueFactory other = client();
        CountDownLatch begun = new CountDownLatch(1);
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        JobRunner runner = jobs(other)
                .runner()
                .handle(SHOUT, (text, run) -> {
                    begun.countDown();
                    return text;
                })
                .start();
        passUntil("the run", () -> begun.getCount() == 0);
        result(job);
        passUntilDone("the close", inBackground(() -> {
            other.close();
            return "closed";
        }));
        assertThat(runner.status().state()).isEqualTo(WorkerStatus.State.STOPPED);
    }

    @Test
    void removedJobLeavesNothing() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            run.log("a line");
            return text;
        }));
        JobHandle<String> ended = jobs().enqueue(SHOUT, "hello");
        result(ended);
        passUntil("the ack", () -> waiting().totalSize() == 0);
        JobHandle<String> waiting = jobs().enqueue(SHOUT, "later", o -> o.delay(Duration.ofHours(1)));
        assertThat(jobs().remove(ended.id())).isTrue();
        assertThat(jobs().remove(waiting.id())).isTrue();
        assertThat(jobs().remove(waiting.id())).isFalse();
        assertThat(ended.view()).isEmpty();
        assertThat(waiting.view()).isEmpty();
        assertThat(jobs().log(ended.id())).isEmpty();
    }

    @Test
    void endedJobsGoAfterTheirTime() {
        JobType<String, String> type = SHOUT.maxAttempts(1).keep(Duration.ofSeconds(5), Duration.ofSeconds(8));
        JobRunner runner = start(jobs().runner().handle(type, (text, run) -> {
            if (text.isEmpty()) {
                throw run.fail("nothing to shout");
            }
            return text;
        }));
        JobHandle<String> succeeded = jobs().enqueue(type, "hello");
        JobHandle<String> failed = jobs().enqueue(type, "");
        // No time passes meanwhile, so that the records are there.
        awaitReal("the end of both", () -> state(succeeded) == JobState.SUCCEEDED && state(failed) == JobState.FAILED);
        passUntil(
                "both to be gone",
                () -> succeeded.view().isEmpty() && failed.view().isEmpty());
        assertThat(deadLetters().totalSize()).isZero();
        awaitReal("the handlers to end", () -> runner.status().running() == 0);
    }
}
