package dev.jono.cli;

import dev.jono.cli.DemoJob.Kind;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import java.util.List;
import java.util.Optional;

/**
 * The end of a job of the demo, as the storage describes it.
 *
 * @param attempt the number of the attempt that ended the job
 * @param runs how many runs the storage describes; the run of a killed runner is missing
 * @param runner the runner that ended the job
 * @param told whether progress, log and result are those that the handler reported
 */
record DemoEnd(DemoJob job, JobState state, int attempt, int runs, String runner, boolean told) {
    /** @param log the log of the job; empty if it is not to be checked */
    static DemoEnd of(DemoJob job, JobView view, Optional<List<JobLogLine>> log) {
        // A run without a start is one that a runner has not ended.
        List<JobAttempt> runs =
                view.attempts().stream().filter(run -> run.start() != null).toList();
        String runner = runs.isEmpty() ? "" : runs.get(runs.size() - 1).runner();
        return new DemoEnd(job, view.state(), view.attempt(), runs.size(), runner, isTold(job, view, log));
    }

    private static boolean isTold(DemoJob job, JobView view, Optional<List<JobLogLine>> log) {
        if (job.kind() != Kind.VIDEO) {
            return view.result().isEmpty();
        }
        boolean progress = view.progress()
                .filter(last -> last.done() == DemoJob.STEPS && last.total() == DemoJob.STEPS)
                .isPresent();
        boolean result =
                view.result().filter(Integer.toString(job.frames())::equals).isPresent();
        boolean logged =
                log.isEmpty() || log.get().stream().map(JobLogLine::text).anyMatch(job.lastLine()::equals);
        return progress && result && logged;
    }

    /** Whether the job ended in the state that is meant for it. */
    boolean isAsMeant() {
        return state == (job.mustFail() ? JobState.FAILED : JobState.SUCCEEDED);
    }

    /** The number of runs that no runner has ended. */
    int interrupted() {
        return attempt - runs;
    }

    /** Whether the job had the attempts that it needs; one more if a run was interrupted. */
    boolean hasExpectedAttempts() {
        int more = attempt - job.attempts();
        return interrupted() >= 0 && interrupted() <= 1 && more >= 0 && more <= interrupted();
    }
}
