package dev.jono.e2e.jobs;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A process with a runner, which the test stalls. The first run waits for a line of input, also if it is interrupted, and then ends as the
 * payload says. The output has a line for each start and each end of a run. Its argument is the URL.
 */
final class StallingRunner {
    static final JobType<String, String> TYPE =
            JobType.of("stall", String.class).returning(String.class).maxAttempts(5);

    /** Longer than any pause of a busy host: no live runner may lose its lease. */
    static final Duration LEASE = Duration.ofSeconds(5);

    private static final CountDownLatch MAY_END = new CountDownLatch(1);

    private StallingRunner() {}

    public static void main(String[] arguments) throws IOException {
        try (QueueFactory jono = LoadRunner.connect(arguments[0]);
                JobRunner runner = Jobs.on(jono)
                        .runner()
                        .lease(LEASE)
                        .handle(TYPE, StallingRunner::run)
                        .start()) {
            say("ready on " + runner.status());
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                MAY_END.countDown();
            }
        }
    }

    private static String run(String payload, JobRun run) {
        say("start " + run.id());
        run.log("started by the stalled runner");
        run.progress(1, 10);
        boolean waits = true;
        while (waits) {
            try {
                MAY_END.await();
                waits = false;
            } catch (InterruptedException ignored) {
                // The test is about handlers that do not notice that they are late.
            }
        }
        run.log("late");
        run.progress(9, 10);
        say("end " + run.id());
        return switch (payload) {
            case "throws" -> throw new IllegalStateException("late");
            case "fails" -> throw run.fail("late");
            default -> "late";
        };
    }

    @SuppressWarnings("SystemOut") // the test reads it
    private static void say(String line) {
        System.out.println(line);
    }
}
