package dev.jono.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
        name = "schedules",
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Enqueue jobs at the times of cron expressions. 'jono jobs work' and all other runners do that.",
        footer = {
            "",
            "Examples:",
            "  jono schedules set sqlite:/tmp/q.db nightly '0 2 * * *' '{}' --zone Europe/Berlin --type report",
            "  jono schedules ls sqlite:/tmp/q.db",
            "  jono schedules run sqlite:/tmp/q.db nightly"
        })
final class SchedulesCommand implements Runnable {
    private SchedulesCommand() {}

    /** The command with its subcommands. */
    static CommandLine create(CommonOptions common) {
        return new CommandLine(new SchedulesCommand())
                .addSubcommand(new SchedulesSetCommand(common))
                .addSubcommand(new SchedulesLsCommand(common))
                .addSubcommand(new SchedulesChangeCommand.RunNow(common))
                .addSubcommand(new SchedulesChangeCommand.Pause(common))
                .addSubcommand(new SchedulesChangeCommand.Resume(common))
                .addSubcommand(new SchedulesChangeCommand.Remove(common));
    }

    @Override
    public void run() {
        throw CliException.usage("a command is missing; 'jono schedules --help' lists the commands");
    }
}
