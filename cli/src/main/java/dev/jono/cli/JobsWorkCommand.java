package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.Jobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "work",
        sortOptions = false,
        description = {
            "Run a command for each job of a type, until Ctrl-C.",
            "The command reads the payload from standard input. Exit code 0: the job has succeeded. Any other exit code: it is"
                    + " retried later, and has failed after its last attempt.",
            "Each line of its standard output is added to the log of the job, except these:",
            "  ::progress DONE TOTAL    reports progress, such as ::progress 3 10",
            "  ::result JSON            sets the result",
            "  ::fail REASON            fails the job without further attempts",
            "  ::snooze DURATION        runs the job again after this time; this attempt does not count",
            "The variables JONO_JOB_ID, JONO_JOB_TYPE and JONO_ATTEMPT describe the job.",
            "The first Ctrl-C (or SIGTERM) lets running commands finish. The second one kills them."
        })
final class JobsWorkCommand extends StorageCommand {
    private static final int MAX_ATTEMPTS = 25;

    @Option(names = "--type", required = true, paramLabel = "TYPE", description = "The name of the type.")
    private String type = "";

    @Mixin
    private final RunOptions options = new RunOptions();

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "The maximum number of runs of a job. Default: ${DEFAULT-VALUE}.")
    private int maxAttempts = MAX_ATTEMPTS;

    @Mixin
    private final JobLimits limits = new JobLimits();

    JobsWorkCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        options.check();
        limits.addTo(JobOptions.type(type));
        if (maxAttempts < 1) {
            throw CliException.usage("--max-attempts must be at least 1: " + maxAttempts);
        }
    }

    @Override
    boolean createsStorage() {
        return true;
    }

    @Override
    int run(QueueFactory jono) {
        ShellCommand shell = new ShellCommand(options.command());
        ShellJobHandler handler = new ShellJobHandler(io(), shell);
        try (InterruptSignals signals = new InterruptSignals(shell::destroyAll)) {
            JobRunner runner = Jobs.on(jono)
                    .runner()
                    .concurrency(options.concurrency())
                    .handle(
                            limits.addTo(JobOptions.type(type))
                                    .maxAttempts(maxAttempts)
                                    .timeout(options.maxRuntime()),
                            handler)
                    .start();
            io().say("running jobs of type '" + type + "'; Ctrl-C stops");
            RunOptions.untilInterrupted();
            io().say("waiting for " + runner.status().running() + " running commands; Ctrl-C again kills them");
            runner.stop(options.maxRuntime());
            io().say(handler.summary());
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }
}
