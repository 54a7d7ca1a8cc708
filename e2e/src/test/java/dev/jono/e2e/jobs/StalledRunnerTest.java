package dev.jono.e2e.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process stops for longer than the lease of its job, and resumes after another runner has got the job. The job has one end, and
 * runs twice at most.
 */
@Tag("fault")
@Tag("jobs")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class StalledRunnerTest {
    private static final JobType<String, String> TYPE = StallingRunner.TYPE;
    private static final JobType<String, Void> OTHER = JobType.of("other", String.class);

    @TempDir
    private Path folder;

    /** What both runners do with a job. */
    private final class Scene implements AutoCloseable {
        private final QueueFactory jono;
        private final Jobs jobs;
        private final ChildJvm stalled;
        private final JobHandle<String> job;
        private final AtomicInteger takeovers = new AtomicInteger();
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final JobRunner other;

        /** Stalls the first run, and waits until another runner runs the job. */
        Scene(String backend, String payload) throws Exception {
            String url = url(backend);
            jono = LoadRunner.connect(url);
            jobs = Jobs.on(jono);
            stalled = ChildJvm.start(StallingRunner.class, url);
            job = jobs.enqueue(TYPE, payload);
            stalled.await("the first run", child -> child.lines().contains("start " + job.id()));
            await("its progress", () -> view().progress().isPresent());
            suspend();
            other = jobs.runner()
                    .lease(StallingRunner.LEASE)
                    .handle(TYPE, (text, run) -> {
                        takeovers.incrementAndGet();
                        run.log("taken over");
                        run.progress(2, 10);
                        mayEnd.await();
                        return "fresh";
                    })
                    .start();
            await("the takeover", () -> view().progress().equals(done(2)));
        }

        /** Stops the process at a moment at which it has no lock on the SQLite file. */
        private void suspend() throws Exception {
            while (true) {
                stalled.suspend();
                CompletableFuture<?> write = jobs.enqueueAsync(OTHER, "is written", options -> options);
                try {
                    write.get(5, TimeUnit.SECONDS);
                    return;
                } catch (TimeoutException locked) {
                    stalled.resume();
                    write.join();
                }
            }
        }

        JobView view() {
            return job.view().orElseThrow();
        }

        /** Lets the stalled run end. */
        void resume() {
            stalled.resume();
            stalled.send("end");
            stalled.await("the end of the first run", child -> child.lines().contains("end " + job.id()));
        }

        /** Checks that the job has ended, and that the runner that was stalled does not run it again, but others. */
        void assertRanTwice() {
            await(
                    "the end of the message",
                    () -> jono.queue("{jobs:stall}:normal", Codec.raw()).totalSize() == 0);
            assertThat(other.stop(Duration.ofSeconds(30))).isTrue();
            JobHandle<String> next = jobs.enqueue(TYPE, "returns");
            stalled.await("another job", child -> child.lines().contains("end " + next.id()));
            await("its end", () -> next.view().orElseThrow().state() == JobState.SUCCEEDED);
            assertThat(stalled.lines("start ")).containsExactly(job.id(), next.id());
            assertThat(takeovers).hasValue(1);
            assertThat(jobs.counts().get(TYPE.name())).containsOnly(Map.entry(JobState.SUCCEEDED, 2L));
        }

        void assertEndIsThatOfTheOther() {
            assertThat(view().result()).contains("\"fresh\"");
            assertThat(view().attempts()).extracting(JobAttempt::number).containsExactly(1, 2);
            assertThat(view().attempts().get(0).start()).isNull();
            assertThat(view().progress()).isEqualTo(done(2));
            assertThat(jobs.log(job.id()))
                    .extracting(JobLogLine::text)
                    .containsExactly("started by the stalled runner", "taken over");
        }

        @Override
        public void close() {
            stalled.close();
            mayEnd.countDown();
            jono.close();
        }
    }

    private String url(String backend) {
        return switch (backend) {
            case "sqlite" -> "sqlite:" + folder.resolve("jobs.db");
            case "redis-oq" -> "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID();
            default ->
                "mongo:"
                        + MongoReplicaSet.sharedUri(
                                "jono_test_" + UUID.randomUUID().toString().substring(0, 13))
                        + "&jono.one-database=true";
        };
    }

    private static Optional<JobProgress> done(int parts) {
        return Optional.of(new JobProgress(parts, 10, null));
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(holds::getAsBoolean);
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite, returns", "sqlite, throws", "sqlite, fails",
        "redis-oq, returns", "redis-oq, throws", "redis-oq, fails",
        "mongo, returns", "mongo, throws", "mongo, fails"
    })
    void endOfAStalledRunIsDroppedWhenTheJobHasEnded(String backend, String payload) throws Exception {
        try (Scene scene = new Scene(backend, payload)) {
            scene.mayEnd.countDown();
            await("the end", () -> scene.view().state() == JobState.SUCCEEDED);
            scene.resume();
            scene.assertRanTwice();
            scene.assertEndIsThatOfTheOther();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite, throws", "sqlite, fails",
        "redis-oq, throws", "redis-oq, fails",
        "mongo, throws", "mongo, fails"
    })
    void failureOfAStalledRunIsDroppedWhileAnotherRunGoesOn(String backend, String payload) throws Exception {
        try (Scene scene = new Scene(backend, payload)) {
            scene.resume();
            scene.mayEnd.countDown();
            await("the end", () -> scene.view().state() == JobState.SUCCEEDED);
            scene.assertRanTwice();
            scene.assertEndIsThatOfTheOther();
        }
    }

    /** The first run that returns ends the job. */
    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "redis-oq", "mongo"})
    void stalledRunThatReturnsFirstEndsTheJob(String backend) throws Exception {
        try (Scene scene = new Scene(backend, "returns")) {
            scene.resume();
            await("the end", () -> scene.view().state() == JobState.SUCCEEDED);
            scene.assertRanTwice();
            assertThat(scene.view().result()).contains("\"late\"");
            assertThat(scene.view().attempts()).extracting(JobAttempt::number).containsExactly(1);
        }
    }
}
