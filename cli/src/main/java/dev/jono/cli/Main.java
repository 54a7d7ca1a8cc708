package dev.jono.cli;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code jono} command: creates the subcommands, parses the command line, and maps failures to exit codes. */
@Command(
        name = "jono",
        description =
                "Work with message queues on your own storage: push, take, inspect and repair messages; run jobs.",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        footer = {
            "",
            "Results are written to standard output as JSON lines, messages to standard error, always in UTF-8.",
            "Durations are written as 500ms, 10s, 2m, 1h, 7d.",
            "Exit codes: 0 success, 1 error, 2 wrong usage, 3 nothing found.",
            "Examples:",
            "  jono push sqlite:/tmp/q.db orders '{\"id\": 1}'",
            "  jono pop sqlite:/tmp/q.db orders"
        })
public final class Main implements Runnable {
    @Mixin
    private final CommonOptions common;

    private Main(Io io) {
        this.common = new CommonOptions(io, Main.class);
    }

    /** Runs the command, and exits the JVM with its exit code. */
    public static void main(String[] args) {
        Io io = Io.standard();
        try {
            ArgumentEncoding.check(args);
        } catch (CliException refused) {
            System.exit(new Main(io).failed(refused));
        }
        System.exit(run(io, args));
    }

    /** Runs the command in this process. */
    static int run(Io io, String... args) {
        Main main = new Main(io);
        try {
            return main.commandLine(args).execute(args);
        } catch (Throwable failure) {
            return main.failed(failure);
        }
    }

    private Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("push", () -> new PushCommand(common));
        commands.put("pop", () -> new PopCommand(common));
        commands.put("reserve", () -> new ReserveCommand(common));
        commands.put("settle", () -> new SettleCommand(common));
        commands.put("peek", () -> new PeekCommand(common));
        commands.put("work", () -> new WorkCommand(common));
        commands.put("pipe", () -> new PipeCommand(common));
        commands.put("info", () -> new InfoCommand(common));
        commands.put("ls", () -> new LsCommand(common));
        commands.put("pause", () -> new PauseCommand(common));
        commands.put("resume", () -> new ResumeCommand(common));
        commands.put("purge", () -> new PurgeCommand(common));
        commands.put("drop", () -> new DropCommand(common));
        commands.put("remove", () -> new RemoveCommand(common));
        commands.put("reschedule", () -> new RescheduleCommand(common));
        commands.put("move", () -> new MoveCommand(common));
        commands.put("redrive", () -> new RedriveCommand(common));
        commands.put("history", () -> new HistoryCommand(common));
        commands.put("jobs", () -> JobsCommand.create(common));
        commands.put("schedules", () -> SchedulesCommand.create(common));
        commands.put("dashboard", () -> new DashboardCommand(common));
        commands.put("backends", () -> new BackendsCommand(common));
        commands.put("schema", () -> new SchemaCommand(common));
        commands.put("bench", () -> new BenchCommand(common));
        commands.put("bench-producer", () -> new BenchProducerCommand(common));
        commands.put("demo", () -> new DemoCommand(common));
        commands.put("demo-producer", () -> new DemoProducerCommand(common));
        commands.put("demo-stage", () -> new DemoStageCommand(common));
        commands.put("demo-worker", () -> new DemoWorkerCommand(common));
        commands.put("demo-runner", () -> new DemoRunnerCommand(common));
        return commands;
    }

    private CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(this);
        Map<String, Supplier<Object>> commands = commands();
        // Reading the annotations of all commands takes longer than most commands, so only the named one is added.
        List<String> words = Arrays.asList(args);
        boolean anyNamed = commands.keySet().stream().anyMatch(words::contains);
        commands.forEach((name, command) -> {
            if (!anyNamed || words.contains(name)) {
                line.addSubcommand(name, command.get());
            }
        });
        Converters.register(line);
        return line.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setOut(new PrintWriter(new OutputStreamWriter(common.io().out(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(common.io().err(), StandardCharsets.UTF_8), true))
                .setExecutionStrategy(parsed -> {
                    Logging.level(common.verbosity());
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((failure, ignored) -> usageError(failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
    }

    @Override
    public void run() {
        throw CliException.usage("a command is missing; 'jono --help' lists the commands");
    }

    private int usageError(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        common.io().say("jono: " + ErrorLine.of(failure));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            common.io().say("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return Exit.USAGE;
    }

    private int failed(Throwable failure) {
        if (failure instanceof InterruptedException) {
            return InterruptSignals.exitCode();
        }
        common.io().say("jono: " + ErrorLine.of(failure));
        if (common.isVerbose()) {
            failure.printStackTrace(common.io().err());
        }
        return failure instanceof CliException known ? known.exitCode() : Exit.ERROR;
    }
}
