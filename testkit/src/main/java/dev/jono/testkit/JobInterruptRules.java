package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Runs that are interrupted, by a stop or a timeout. */
abstract class JobInterruptRules extends JobCase {
    JobInterruptRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void handlerThatThrowsAnInterruptWithoutAStopFailsLikeAnyOther() {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        start(jobs().runner().handle(type, (text, run) -> {
            throw new InterruptedException("a library's");
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(view(job).reason().orElseThrow()).contains("a library's");
    }

    /** Otherwise a process that ends after the stop loses acks, and its jobs stay reserved until their leases end. */
    @Test
    void endsOfJobsAreStoredWhenAStopReturns() {
        int count = 500;
        AtomicInteger runs = new AtomicInteger();
        JobRunner runner = jobs().runner()
                .concurrency(50)
                .handle(SHOUT, (text, run) -> {
                    runs.incrementAndGet();
                    return text;
                })
                .start();
        jobs().enqueueAll(SHOUT, WorkerCase.numbered(count), o -> o);
        awaitReal("the runs", () -> runs.get() == count);
        assertThat(runner.stop(Duration.ofMinutes(1))).isTrue();
        assertThat(jobs(client()).counts().get(SHOUT.name())).isEqualTo(Map.of(JobState.SUCCEEDED, (long) count));
    }

    @Test
    void runThatAStopInterruptsDoesNotCount() {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        CountDownLatch begun = new CountDownLatch(1);
        JobRunner first = jobs().runner()
                .handle(type, (text, run) -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return text;
                })
                .start();
        JobHandle<String> job = jobs().enqueue(type, "hello");
        awaitReal("the run", () -> begun.getCount() == 0);
        stopAtOnce(first);
        start(jobs().runner().handle(type, (text, run) -> run.attempt() + " " + text));
        assertThat(result(job)).isEqualTo("1 hello");
    }

    /** Handlers often wrap the exception of their interrupt. */
    @Test
    void runThatAStopInterruptsDoesNotCountWhateverItThrows() {
        JobType<String, String> type = SHOUT.maxAttempts(1);
        CountDownLatch begun = new CountDownLatch(1);
        JobRunner first = jobs().runner()
                .handle(type, (text, run) -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("wrapped", e);
                    }
                    return text;
                })
                .start();
        JobHandle<String> job = jobs().enqueue(type, "hello");
        awaitReal("the run", () -> begun.getCount() == 0);
        stopAtOnce(first);
        start(jobs().runner().handle(type, (text, run) -> run.attempt() + " " + text));
        assertThat(result(job)).isEqualTo("1 hello");
    }

    /** A result that was returned although the runner was stopped is kept. */
    @Test
    void resultOfARunThatIgnoresTheInterruptOfAStopIsKept() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        JobRunner first = jobs().runner()
                .handle(SHOUT, (text, run) -> {
                    runs.incrementAndGet();
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException ignored) {
                        return "done anyway";
                    }
                    return text;
                })
                .start();
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        awaitReal("the run", () -> begun.getCount() == 0);
        stopAtOnce(first);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            runs.incrementAndGet();
            return text;
        }));
        assertThat(result(job)).isEqualTo("done anyway");
        awaitReal("the ack", () -> waiting().totalSize() == 0);
        assertThat(runs).hasValue(1);
    }

    /** No time passes meanwhile, so that the runs have the time to end that a runner gives them after their interrupt. */
    private static void stopAtOnce(JobRunner runner) {
        runner.stop(Duration.ZERO);
    }

    @Test
    void timeoutInterruptsTheHandlerAndCounts() {
        JobType<String, String> type = SHOUT.maxAttempts(1).timeout(seconds(3));
        start(jobs().runner().handle(type, (text, run) -> {
            new CountDownLatch(1).await();
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil(job, JobState.FAILED);
        assertThat(view(job).reason().orElseThrow()).startsWith("ran longer than ");
    }

    /** It stays in its place, and the status of the runner shows it. */
    @Test
    void handlerThatIgnoresItsTimeoutIsSeen() {
        JobType<String, String> type = SHOUT.maxAttempts(1).timeout(seconds(3));
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobRunner runner = start(jobs().runner().handle(type, (text, run) -> {
            while (mayEnd.getCount() > 0) {
                try {
                    mayEnd.await();
                } catch (InterruptedException ignored) {
                    // a handler must not do this
                }
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        passUntil("overtime", () -> runner.status().overtime() == 1);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        mayEnd.countDown();
        passUntil(job, JobState.FAILED);
        assertThat(view(job).reason().orElseThrow()).startsWith("ran longer than ");
    }

    @Test
    void runnerEndsWhenNothingIsDue() throws Exception {
        JobHandle<String> retried = jobs().enqueue(SHOUT, "fails once");
        JobHandle<String> follower = jobs().enqueue(SHOUT, "enqueues");
        JobHandle<String> later = jobs().enqueue(SHOUT, "later", o -> o.delay(Duration.ofDays(1)));
        JobType<String, String> retriedAtOnce = SHOUT.backoff(Backoff.fixed(Duration.ZERO));
        CompletableFuture<Boolean> idle = inBackground(() -> jobs().runner()
                .concurrency(2)
                .lease(Duration.ofDays(1))
                .handle(retriedAtOnce, (text, run) -> {
                    if (text.equals("fails once") && run.attempt() == 1) {
                        throw new IllegalStateException("a test's");
                    }
                    if (text.equals("enqueues")) {
                        jobs().enqueue(SHOUT, "follows");
                    }
                    return text;
                })
                .runUntilIdle(Duration.ofDays(300)));
        assertThat(passUntilDone("the runner to end", idle)).isTrue();
        assertThat(state(retried)).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(follower)).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(later)).isEqualTo(JobState.SCHEDULED);
        assertThat(waiting().totalSize()).isOne();
    }

    @Test
    void runnerThatIsNeverIdleEndsAfterItsTime() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        CompletableFuture<Boolean> idle = inBackground(() -> jobs().runner()
                .lease(Duration.ofDays(1))
                .handle(SHOUT, (text, run) -> {
                    new CountDownLatch(1).await();
                    return text;
                })
                .runUntilIdle(seconds(4)));
        assertThat(passUntilDone("the runner to end", idle)).isFalse();
        passUntil(job, JobState.WAITING);
        assertThat(view(job).attempt()).isZero();
    }
}
