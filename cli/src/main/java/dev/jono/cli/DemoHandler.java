package dev.jono.cli;

import dev.jono.cli.DemoJob.Kind;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRun;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs the jobs of the demo, and reports each step to the parent. Thread-safe. */
final class DemoHandler implements JobHandler<DemoJob, Integer> {
    private final DemoAccounts accounts;
    private final SharedClock clock;
    private final DemoReport report;
    private final ParentWatch parent;
    private final int hangAfter;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicBoolean hanging = new AtomicBoolean();

    /**
     * A handler.
     *
     * @param hangAfter the number of jobs after which the process hangs: from the next payment on, no job ends
     */
    DemoHandler(DemoAccounts accounts, SharedClock clock, DemoReport report, ParentWatch parent, int hangAfter) {
        this.accounts = accounts;
        this.clock = clock;
        this.report = report;
        this.parent = parent;
        this.hangAfter = hangAfter;
    }

    @Override
    public @Nullable Integer run(DemoJob job, JobRun run) throws IOException, InterruptedException {
        report.send(DemoReport.BEGUN, job.n() + ":" + clock.micros());
        if (job.kind() == Kind.PAYMENT) {
            check(job, accounts.begin(job));
        }
        hang(job);
        if (job.mustFail() || run.attempt() < job.attempts()) {
            report.send(DemoReport.FAILED, job.n());
            throw failure(job, run);
        }
        Integer result = job.kind() == Kind.VIDEO ? render(job, run) : null;
        if (job.kind() == Kind.PAYMENT) {
            check(job, accounts.end(job));
        }
        report.send(DemoReport.ENDED, job.n());
        return result;
    }

    private void check(DemoJob payment, boolean inOrder) {
        if (!inOrder) {
            report.send(DemoReport.OUT_OF_ORDER, payment.n());
        }
    }

    /** In the process that will be killed: waits for the kill, while the job runs. */
    private void hang(DemoJob job) throws InterruptedException {
        boolean first = begun.incrementAndGet() > hangAfter && job.kind() == Kind.PAYMENT;
        if (first || hanging.get()) {
            report.send(DemoReport.HANGING, job.n());
            hanging.set(true); // after the report, so that a payment is reported before other jobs
            parent.await();
        }
    }

    private static RuntimeException failure(DemoJob job, JobRun run) {
        return job.mustFail() && run.attempt() >= job.attempts()
                ? run.fail("job " + job.n() + " is given up")
                : new IllegalStateException("job " + job.n() + " is meant to fail");
    }

    private static int render(DemoJob video, JobRun run) {
        for (int step = 1; step < DemoJob.STEPS; step++) {
            run.progress(step, DemoJob.STEPS);
            run.log("step {} of video {}", step, video.n());
        }
        run.progress(DemoJob.STEPS, DemoJob.STEPS);
        run.log(video.lastLine());
        return video.frames();
    }
}
