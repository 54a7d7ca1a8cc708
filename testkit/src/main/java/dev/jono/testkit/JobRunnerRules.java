package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.RunningJob;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runners: what other processes see of them, when they are idle, and types that they do not handle. */
abstract class JobRunnerRules extends JobCase {
    private static final JobType<String, Void> OTHER = JobType.of("other", String.class);

    /** Lets handlers end. */
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    JobRunnerRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @AfterEach
    void letHandlersEnd() {
        mayEnd.countDown();
    }

    private Optional<RunnerView> runner(String name) {
        return jobs().runners().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    private void passUntilSeen(String name, Predicate<RunnerView> as) {
        passUntil("runner " + name, () -> runner(name).filter(as).isPresent());
    }

    @Test
    void runnerOfOneJobStoresTheEndOfEachBeforeTheNextStarts() {
        Queue<String> ended = new ConcurrentLinkedQueue<>();
        Queue<JobState> before = new ConcurrentLinkedQueue<>();
        List<JobHandle<String>> all = jobs().enqueueAll(SHOUT, Collections.nCopies(30, "hello"), o -> o);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            ended.forEach(id -> before.add(jobs().get(id).orElseThrow().state()));
            ended.clear();
            ended.add(run.id());
            return text;
        }));
        passUntil("the ends", () -> all.stream().allMatch(job -> state(job) == JobState.SUCCEEDED));
        assertThat(before).hasSize(29).containsOnly(JobState.SUCCEEDED);
    }

    @Test
    void runnersOfAllProcessesAreListed() {
        assertThat(jobs().runners()).isEmpty();
        start(jobs(client()).runner().name("r1").handle(SHOUT, (text, run) -> text));
        Jobs another = jobs(client());
        start(another.runner()
                .name("r2")
                .concurrency(3)
                .handle(SHOUT, (text, run) -> text)
                .handle(OTHER, (text, run) -> null));
        start(another.runner().name("r3").handle(OTHER, (text, run) -> null));
        passUntil("three runners", () -> jobs().runners().size() == 3);
        assertThat(jobs().runners()).extracting(RunnerView::name).containsExactlyInAnyOrder("r1", "r2", "r3");
        assertThat(jobs().runners()).extracting(RunnerView::id).doesNotHaveDuplicates();
        assertThat(runner("r1")).hasValueSatisfying(first -> {
            assertThat(first.types()).containsExactly("shout");
            assertThat(first.concurrency()).isEqualTo(1);
        });
        RunnerView second = runner("r2").orElseThrow();
        assertThat(second.types()).containsExactly("shout", "other");
        assertThat(second.concurrency()).isEqualTo(3);
        assertThat(second.running()).isZero();
        assertThat(second.state()).isEqualTo(RunnerView.State.RUNNING);
        assertThat(second.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(second.host()).isNotBlank();
        assertThat(second.lastSeen()).isAfterOrEqualTo(second.startedAt());
    }

    @Test
    void runnerReportsAgainAndAgain() {
        start(jobs(client()).runner().name("r1").concurrency(2).handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        passUntilSeen("r1", seen -> seen.running() == 0);
        RunnerView first = runner("r1").orElseThrow();
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        passUntilSeen("r1", seen -> seen.running() == 1);
        mayEnd.countDown();
        passUntil(job, JobState.SUCCEEDED);
        passUntilSeen("r1", seen -> seen.running() == 0);
        RunnerView last = runner("r1").orElseThrow();
        assertThat(last.id()).isEqualTo(first.id());
        assertThat(last.startedAt()).isEqualTo(first.startedAt());
        assertThat(last.lastSeen()).isAfter(first.lastSeen());
    }

    @Test
    void runnerReportsTheJobsThatItRuns() {
        start(jobs(client()).runner().name("r1").concurrency(2).handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        JobHandle<String> first = jobs().enqueue(SHOUT, "first");
        JobHandle<String> second = jobs().enqueue(SHOUT, "second");
        passUntilSeen("r1", seen -> seen.jobs().size() == 2);
        RunnerView seen = runner("r1").orElseThrow();
        assertThat(seen.jobs()).extracting(RunningJob::id).containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(seen.jobs()).isSortedAccordingTo(Comparator.comparing(RunningJob::startedAt));
        assertThat(seen.jobs()).allSatisfy(job -> {
            assertThat(job.attempt()).isEqualTo(1);
            assertThat(job.startedAt()).isBetween(seen.startedAt(), seen.lastSeen());
        });
    }

    @Test
    void stoppingRunnerIsListedUntilItsJobsHaveEnded() {
        JobRunner runner = start(jobs(client()).runner().name("r1").handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        passUntilSeen("r1", seen -> true);
        passUntil(job, JobState.RUNNING);
        awaitReal("the handler", () -> runner.status().running() == 1);
        CompletableFuture<Boolean> stop = inBackground(() -> runner.stop(Duration.ofDays(1)));
        passUntilSeen("r1", seen -> seen.state() == RunnerView.State.STOPPING && seen.running() == 1);
        mayEnd.countDown();
        assertThat(passUntilDone("the stop", stop)).isTrue();
        awaitReal("the list without it", () -> jobs().runners().isEmpty());
    }

    @Test
    void runnersOfAClosedClientAreNotListed() {
        try (var client = storage().client().connect()) {
            Jobs there = Jobs.on(client);
            there.runner().name("r1").handle(SHOUT, (text, run) -> text).start();
            there.runner().name("r2").handle(OTHER, (text, run) -> null).start();
            awaitReal("two runners", () -> jobs().runners().size() == 2);
        }
        assertThat(List.copyOf(jobs().runners())).isEmpty();
    }

    @Test
    void runnerSaysOnceThatItHasBecomeIdle() {
        AtomicInteger calls = new AtomicInteger();
        start(jobs().runner()
                .onIdle(() -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("a test's");
                })
                .handle(SHOUT, (text, run) -> {
                    mayEnd.await();
                    return text;
                }));
        passUntil("the call after the start", () -> calls.get() == 1);
        JobHandle<String> first = jobs().enqueue(SHOUT, "first");
        JobHandle<String> second = jobs().enqueue(SHOUT, "second");
        jobs().enqueue(SHOUT, "later", o -> o.delay(Duration.ofDays(300)));
        jobs().enqueue(OTHER, "not handled here");
        passUntil("a run", () -> state(first) == JobState.RUNNING || state(second) == JobState.RUNNING);
        pass(seconds(2));
        assertThat(calls).as("while a job runs").hasValue(1);
        mayEnd.countDown();
        passUntil("the call after the last job", () -> calls.get() == 2);
        assertThat(state(first)).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(second)).isEqualTo(JobState.SUCCEEDED);
        pass(seconds(2));
        assertThat(calls).as("while nothing happens").hasValue(2);
    }

    @Test
    void runnerIsNotIdleWhileAnotherProcessRunsAJob() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        start(jobs(client()).runner().handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        passUntil(job, JobState.RUNNING);
        AtomicInteger calls = new AtomicInteger();
        start(jobs().runner().onIdle(calls::incrementAndGet).handle(SHOUT, (text, run) -> text));
        pass(seconds(2));
        assertThat(calls).hasValue(0);
        mayEnd.countDown();
        passUntil("the call", () -> calls.get() == 1);
    }

    /** They have queues of their own, which this runner does not read. */
    @Test
    void jobsOfATypeWithoutAHandlerWaitAndHoldUpNoOthers() {
        List<JobHandle<Void>> unknown =
                jobs().enqueueAll(OTHER, List.of("1", "2", "3"), o -> o.priority(JobPriority.CRITICAL));
        start(jobs(client()).runner().handle(SHOUT, (text, run) -> text));
        assertThat(result(jobs().enqueue(SHOUT, "hello", o -> o.priority(JobPriority.LOW))))
                .isEqualTo("hello");
        assertThat(jobs().counts().get("other")).isEqualTo(Map.of(JobState.WAITING, 3L));
        assertThat(unknown).allSatisfy(job -> {
            assertThat(state(job)).isEqualTo(JobState.WAITING);
            assertThat(view(job).attempt()).isZero();
        });
        passUntil(
                "the runner",
                () -> jobs().runners().stream().map(RunnerView::types).toList().equals(List.of(List.of("shout"))));
        start(jobs(client()).runner().handle(OTHER, (text, run) -> null));
        unknown.forEach(job -> passUntil(job, JobState.SUCCEEDED));
    }
}
