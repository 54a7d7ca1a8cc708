package dev.jono.examples.processors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorRunnerTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<ProcessorRunner> opened = new ArrayList<>();

    @AfterEach
    void end() {
        opened.forEach(ProcessorRunner::close);
    }

    private ProcessorRunner runner(JobProcessor<?>... processors) {
        ProcessorRunner runner = new ProcessorRunner(
                "sqlite:" + directory.resolve("jobs.db"), 4, Duration.ofMillis(200), List.of(processors));
        opened.add(runner);
        return runner;
    }

    private static JobView view(ProcessorRunner runner, String id) {
        return runner.jobs().get(id).orElseThrow();
    }

    /** Adds numbers, and fails at odd ones while {@code broken}. */
    private static final class Sums implements JobProcessor<Integer> {
        private final List<Integer> added = new CopyOnWriteArrayList<>();
        private volatile boolean broken;

        @Override
        public String name() {
            return "sum";
        }

        @Override
        public Class<Integer> payload() {
            return Integer.class;
        }

        @Override
        public void handle(Integer number, JobRun run) {
            if (broken && number % 2 == 1) {
                throw new IllegalStateException(number + " is odd");
            }
            added.add(number);
        }
    }

    /** Waits until it is told to end. */
    private static final class Waits implements JobProcessor<String> {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final List<Integer> attempts = new CopyOnWriteArrayList<>();

        @Override
        public String name() {
            return "wait";
        }

        @Override
        public Class<String> payload() {
            return String.class;
        }

        @Override
        public void handle(String text, JobRun run) throws InterruptedException {
            attempts.add(run.attempt());
            begun.countDown();
            mayEnd.await();
        }
    }

    @Test
    void eachProcessorGetsItsJobs() {
        Sums sums = new Sums();
        ProcessorRunner runner = runner(sums, new Waits());
        runner.schedule(sums, 1);
        runner.scheduleIn(sums, 2, Duration.ofMillis(50));
        runner.scheduleAt(sums, 3, Instant.now().plusMillis(100));
        await().atMost(SOON).until(() -> sums.added.size() == 3);
        assertThat(sums.added).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void jobThatFailsAtAllAttemptsIsADeadLetter() {
        Sums sums = new Sums();
        sums.broken = true;
        ProcessorRunner runner = runner(sums);
        String odd = runner.schedule(sums, 1);
        await().atMost(SOON).until(() -> view(runner, odd).state() == JobState.FAILED);
        assertThat(view(runner, odd).attempts()).hasSize(3);
        assertThat(view(runner, odd).reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("1 is odd"));
        sums.broken = false;
        // The record says that the job has failed before its message is a dead letter.
        await().atMost(SOON).until(() -> runner.jobs().retry(odd));
        await().atMost(SOON).until(() -> sums.added.contains(1));
    }

    @Test
    void jobThatTheShutdownInterruptsRunsAgainElsewhere() throws Exception {
        Waits waits = new Waits();
        ProcessorRunner first = runner(waits);
        String job = first.schedule(waits, "for the shutdown");
        waits.begun.await();
        first.close();
        waits.mayEnd.countDown();
        ProcessorRunner second = runner(waits);
        await().atMost(SOON).until(() -> view(second, job).state() == JobState.SUCCEEDED);
        assertThat(waits.attempts).as("the interrupted attempt does not count").containsExactly(1, 1);
    }

    @Test
    void cancelledJobIsInterrupted() throws Exception {
        Waits waits = new Waits();
        ProcessorRunner runner = runner(waits);
        String job = runner.schedule(waits, "for ever");
        waits.begun.await();
        assertThat(runner.cancel(job)).isTrue();
        await().atMost(SOON).until(() -> view(runner, job).state() == JobState.CANCELLED);
    }
}
