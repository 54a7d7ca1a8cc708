package dev.jono.e2e.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Redis refuses the records of jobs, but not their messages: the right to the keys of the records is taken away. */
@Tag("fault")
@Tag("jobs")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.SAME_THREAD) // each has a server of its own
class StoreAwayTest {
    private static final int COUNT = 20;
    private static final JobType<Integer, Integer> TYPE =
            JobType.of("double", Integer.class).returning(Integer.class);

    private final Queue<Integer> handled = new ConcurrentLinkedQueue<>();
    private RedisServer redis;
    private QueueFactory jono;
    private Jobs jobs;

    @BeforeEach
    void start() {
        redis = RedisServer.builder().users("user shop on >secret ~* &* +@all").start();
        jono = LoadRunner.connect("redis-oq:redis://shop:secret@" + redis.address());
        jobs = Jobs.on(jono);
    }

    @AfterEach
    void stop() {
        jono.close();
        redis.close();
    }

    /** @param records which rights to the keys of the records remain */
    private void allow(String records) {
        redis.call("ACL", "SETUSER", "shop", "resetkeys", "~keuss:*", "~jono:oq:*", records);
    }

    private JobRunner startRunner() {
        return jobs.runner()
                .concurrency(COUNT)
                .handle(TYPE, (number, run) -> {
                    run.log("number {}", number);
                    run.progress(number, COUNT);
                    handled.add(number);
                    return 2 * number;
                })
                .start();
    }

    private List<JobHandle<Integer>> enqueue() {
        return jobs.enqueueAll(TYPE, IntStream.range(0, COUNT).boxed().toList(), options -> options);
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what).atMost(Duration.ofSeconds(90)).until(holds::getAsBoolean);
    }

    private long waiting() {
        return jono.queue("{jobs:double}:normal", Codec.raw()).totalSize();
    }

    private void assertEachWasHandledOnce() {
        assertThat(handled)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, COUNT).boxed().toList());
    }

    @Test
    void handlersRunWhileRecordsCannotBeWrittenAndRecordsComeLater() throws Exception {
        enqueue().forEach(job -> assertThat(job.cancel("creates the keys")).isTrue());
        allow("%R~jono:jobs:*");
        try (JobRunner runner = startRunner()) {
            assertThat(runner).isNotNull();
            List<JobHandle<Integer>> started = enqueue();
            await("all handlers", () -> handled.size() == COUNT);
            assertThat(waiting()).as("messages wait for their records").isEqualTo(COUNT);
            allow("~jono:jobs:*");
            for (JobHandle<Integer> job : started) {
                int number = started.indexOf(job);
                assertThat(job.await(Duration.ofSeconds(60))).isEqualTo(2 * number);
                JobView view = job.view().orElseThrow();
                assertThat(view.progress()).contains(new JobProgress(number, COUNT, null));
                assertThat(jobs.log(job.id())).extracting(JobLogLine::text).containsExactly("number " + number);
            }
            await("the acks", () -> waiting() == 0);
            assertEachWasHandledOnce();
        }
        assertThat(jobs.counts().get("double"))
                .isEqualTo(Map.of(JobState.SUCCEEDED, (long) COUNT, JobState.CANCELLED, (long) COUNT));
    }

    /** A runner that was stopped has given the jobs back: they may have records. */
    @Test
    void jobsThatWereHeldWaitWhileRecordsCannotBeRead() throws Exception {
        List<JobHandle<Integer>> started = enqueue();
        var held = jono.queue("{jobs:double}:normal", Codec.raw()).reserve(COUNT, Duration.ofSeconds(30));
        assertThat(held).hasSize(COUNT);
        held.forEach(Reservation::release);
        allow("~jono:none:*");
        try (JobRunner runner = startRunner()) {
            await("all messages to be given back", () -> runner.status().failed() >= COUNT);
            assertThat(handled).isEmpty();
            allow("~jono:jobs:*");
            for (JobHandle<Integer> job : started) {
                assertThat(job.await(Duration.ofSeconds(60))).isNotNull();
                assertThat(job.view().orElseThrow().attempt()).isEqualTo(1);
            }
            assertEachWasHandledOnce();
        }
    }
}
