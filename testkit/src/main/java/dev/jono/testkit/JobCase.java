package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of jobs. Stops the runners after each test. */
abstract class JobCase extends ContractCase {
    /** A type with a text as payload and as result. */
    static final JobType<String, String> SHOUT =
            JobType.of("shout", String.class).returning(String.class).backoff(Backoff.fixed(Duration.ofSeconds(2)));

    private static final Duration STEP = Duration.ofMillis(200);

    private final List<JobRunner> runners = new ArrayList<>();
    private final Map<QueueFactory, Jobs> jobs = new ConcurrentHashMap<>();

    JobCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsJobs() {
        requires(Capability.RESERVE, Capability.SCHEDULE, Capability.REMOVE, Capability.BROWSE, Capability.EDIT);
    }

    @AfterEach
    void stopRunners() {
        List<Boolean> ended = runners.stream()
                .map(runner -> runner.stop(Duration.ofSeconds(20)))
                .toList();
        assertThat(ended).doesNotContain(false);
    }

    /** The {@code Jobs} of the first client. */
    final Jobs jobs() {
        return jobs(jono());
    }

    final Jobs jobs(QueueFactory client) {
        return jobs.computeIfAbsent(client, Jobs::on);
    }

    /** The queue of the jobs of {@link #SHOUT}. */
    final MessageQueue<EncodedPayload> waiting() {
        return jono().queue("{jobs:shout}:normal", Codec.raw());
    }

    /** The failed jobs of {@link #SHOUT}. */
    final MessageQueue<EncodedPayload> deadLetters() {
        return jono().queue("{jobs:shout}:failed", Codec.raw());
    }

    /** Starts a runner, and stops it after the test. A settable clock jumps while handlers work: no lease ends by that. */
    final JobRunner start(JobRunnerBuilder builder) {
        JobRunner runner = builder.lease(Duration.ofDays(1)).start();
        runners.add(runner);
        return runner;
    }

    final JobView view(JobHandle<?> job) {
        return job.view().orElseThrow(() -> new AssertionError(job + " is gone"));
    }

    final JobState state(JobHandle<?> job) {
        return view(job).state();
    }

    /**
     * Lets time pass until a condition holds. A settable clock moves in small steps and for as long as the condition needs, because
     * the storage and the handlers need real time: a wait that begins late must end too.
     */
    final void passUntil(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    if (holds.getAsBoolean()) {
                        return true;
                    }
                    storage().clock().ifPresent(clock -> clock.advance(STEP));
                    return false;
                });
    }

    /** Lets time pass until a call has completed, and returns its result. */
    final <R> R passUntilDone(String what, CompletableFuture<R> call) {
        passUntil(what, call::isDone);
        return call.join();
    }

    /** Waits until a job has a state, letting time pass. */
    final void passUntil(JobHandle<?> job, JobState state) {
        passUntil(
                job + " to be " + state,
                () -> job.view().filter(view -> view.state() == state).isPresent());
    }

    /** Retries a job of {@link #SHOUT} by hand when it has failed. Its record says so before its message is a dead letter. */
    final void retryFailed(JobHandle<?> job) {
        passUntil(job, JobState.FAILED);
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
        assertThat(jobs().retry(job.id())).isTrue();
    }

    /** Awaits a job, letting time pass. */
    final <R> @Nullable R result(JobHandle<R> job) {
        return passUntilDone(
                        "the result of " + job, inBackground(() -> Optional.ofNullable(job.await(Duration.ofDays(1)))))
                .orElse(null);
    }
}
