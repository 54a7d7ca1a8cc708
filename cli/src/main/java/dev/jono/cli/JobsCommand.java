package dev.jono.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
        name = "jobs",
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Enqueue, run, find and repair jobs. The id of a job is TYPE:ID.",
        footer = {
            "",
            "Examples:",
            "  jono jobs enqueue sqlite:/tmp/q.db resize '{\"file\": \"a.png\"}' --priority high",
            "  jono jobs work sqlite:/tmp/q.db --type resize --exec ./resize.sh --concurrency 4",
            "  jono jobs ls sqlite:/tmp/q.db resize --state failed"
        })
final class JobsCommand implements Runnable {
    private JobsCommand() {}

    /** The command with its subcommands. */
    static CommandLine create(CommonOptions common) {
        return new CommandLine(new JobsCommand())
                .addSubcommand(new JobsEnqueueCommand(common))
                .addSubcommand(new JobsWorkCommand(common))
                .addSubcommand(new JobsWaitCommand(common))
                .addSubcommand(new JobsInfoCommand(common))
                .addSubcommand(new JobsLsCommand(common))
                .addSubcommand(new JobsShowCommand(common))
                .addSubcommand(new JobsRunnersCommand(common))
                .addSubcommand(new JobsTopCommand(common))
                .addSubcommand(new JobsChangeCommand.Retry(common))
                .addSubcommand(new JobsChangeCommand.RunNow(common))
                .addSubcommand(new JobsChangeCommand.Priority(common))
                .addSubcommand(new JobsChangeCommand.Rerun(common))
                .addSubcommand(new JobsChangeCommand.Cancel(common))
                .addSubcommand(new JobsChangeCommand.Remove(common))
                .addSubcommand(new JobsPauseCommand.Pause(common))
                .addSubcommand(new JobsPauseCommand.Resume(common));
    }

    @Override
    public void run() {
        throw CliException.usage("a command is missing; 'jono jobs --help' lists the commands");
    }
}
