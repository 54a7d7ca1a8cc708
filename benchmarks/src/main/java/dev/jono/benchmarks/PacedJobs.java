package dev.jono.benchmarks;

import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The delay from the enqueue of a job in one process to its start in another one, on Redis, at 100 jobs/s. The payload is the monotonic
 * time of the enqueue; {@link #main} is the process of the runner, which prints the delay of each job.
 */
final class PacedJobs {
    private static final JobType<Long, Void> TYPE = JobType.of("paced", Long.class);
    private static final JonoClock CLOCK = JonoClock.system();

    private PacedJobs() {}

    static Row measure(int rounds, double scale) throws Exception {
        int count = (int) Math.max(200, 1_000 * scale);
        List<Histogram> delays = new ArrayList<>();
        try (Testbed testbed = Testbed.redis();
                ChildProcess runner = ChildProcess.jvm(PacedJobs.class, testbed.url())) {
            Jobs jobs = Jobs.on(testbed.jono());
            runner.line();
            enqueue(jobs, PacedMessages.WARM_UP);
            PacedMessages.delays(runner::line, PacedMessages.WARM_UP);
            for (int round = 0; round < rounds; round++) {
                enqueue(jobs, count);
                delays.add(PacedMessages.delays(runner::line, count));
            }
        }
        Histogram all = PacedMessages.sum(delays);
        double p50 = PacedMessages.millis(all, 50);
        double p99 = PacedMessages.millis(all, 99);
        return new Row(
                "redis-oq-jobs-start",
                "redis-oq, enqueue to the start of the handler in another process, 100 jobs/s",
                "p50 at most 3 ms, p99 at most 15 ms",
                p50 <= 3 && p99 <= 15,
                String.format("p50 %.2f ms, p99 %.2f ms, max %.2f ms", p50, p99, PacedMessages.millis(all, 100)),
                Map.of("ours", PacedMessages.figures(all)));
    }

    private static void enqueue(Jobs jobs, int count) throws InterruptedException {
        long begin = CLOCK.nanos();
        for (int i = 0; i < count; i++) {
            Pauses.pauseUntil(begin + i * (PacedMessages.GAP_MILLIS * 1_000_000L));
            jobs.enqueue(TYPE, CLOCK.nanos());
        }
    }

    /** The process of the runner: prints the delay of each job, in nanoseconds. */
    public static void main(String[] arguments) throws Exception {
        QueueFactory jono = QueueFactory.connect(arguments[0]);
        JobRunner runner = Jobs.on(jono)
                .runner()
                .handle(TYPE, (enqueuedAt, run) -> {
                    System.out.println(CLOCK.nanos() - enqueuedAt);
                    return null;
                })
                .start();
        System.out.println("ready");
        while (ChildProcess.stdin().readLine() != null) {
            // Runs until its parent closes the pipe.
        }
        runner.close();
        jono.close();
    }
}
