package dev.jono.cli;

import dev.jono.DeadLetter;
import dev.jono.Interceptor;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code jono} command: its common options, its subcommands, and how it ends. */
@Command(
        name = "jono",
        description = "Queues on the storage that you already run: push, take, look at and repair them from a shell.",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        footer = {
            "",
            "Data goes to standard output as JSON lines, words to standard error; all words are UTF-8, in every locale.",
            "Durations are written 500ms, 10s, 2m, 1h, 7d.",
            "Exit codes: 0 done, 1 error, 2 usage, 3 nothing there.",
            "Examples:",
            "  jono push sqlite:/tmp/q.db orders '{\"id\": 1}'",
            "  jono pop sqlite:/tmp/q.db orders"
        })
public final class Main implements Runnable {
    private static final String NATIVE_TRANSPORT = "io.lettuce.core.epoll";

    private final Io io;

    @Option(
            names = "--namespace",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            order = 100,
            description = "Separates signals, stats and pause, not the storage. Default: ${DEFAULT-VALUE}.")
    private String namespace = "N";

    @Option(
            names = "--signaller",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            order = 101,
            description = "How processes wake each other. Default: the backend's own.")
    private @Nullable String signaller;

    @Option(
            names = "--stats",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            order = 102,
            description = "Where counters and pauses are kept. Default: the backend's own.")
    private @Nullable String stats;

    @Option(
            names = "--max-deliveries",
            scope = ScopeType.INHERIT,
            paramLabel = "N",
            order = 103,
            description = "After so many deliveries a retry moves a message to the dead letters. Default: 25.")
    private DeadLetter limit = DeadLetter.after(25);

    @Option(
            names = "--dead-letter",
            scope = ScopeType.INHERIT,
            paramLabel = "QUEUE",
            order = 104,
            description = "The dead-letter queue. Default: " + DeadLetter.DEFAULT_QUEUE + ".")
    private String deadLetter = DeadLetter.DEFAULT_QUEUE;

    @Option(
            names = "--keep",
            scope = ScopeType.INHERIT,
            paramLabel = "DURATION",
            order = 105,
            description = "How long consumed messages are kept as history. Default: not at all.")
    private @Nullable Duration keep;

    @Option(
            names = "-v",
            scope = ScopeType.INHERIT,
            order = 106,
            description = "Say more: what goes on, and where an error came from; -vv even more.")
    private boolean[] verbosity = {};

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            order = 107,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks the option, not the field
    private boolean help;

    Main(Io io) {
        this.io = io;
    }

    /** Runs the command and ends the process with its exit code. */
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
        commands.put("push", () -> new PushCommand(this));
        commands.put("pop", () -> new PopCommand(this));
        commands.put("reserve", () -> new ReserveCommand(this));
        commands.put("settle", () -> new SettleCommand(this));
        commands.put("peek", () -> new PeekCommand(this));
        commands.put("work", () -> new WorkCommand(this));
        commands.put("pipe", () -> new PipeCommand(this));
        commands.put("info", () -> new InfoCommand(this));
        commands.put("ls", () -> new LsCommand(this));
        commands.put("pause", () -> new PauseCommand(this));
        commands.put("resume", () -> new ResumeCommand(this));
        commands.put("purge", () -> new PurgeCommand(this));
        commands.put("drop", () -> new DropCommand(this));
        commands.put("remove", () -> new RemoveCommand(this));
        commands.put("move", () -> new MoveCommand(this));
        commands.put("redrive", () -> new RedriveCommand(this));
        commands.put("history", () -> new HistoryCommand(this));
        commands.put("backends", () -> new BackendsCommand(this));
        commands.put("bench", () -> new BenchCommand(this));
        commands.put("bench-producer", () -> new BenchProducerCommand(this));
        commands.put("demo", () -> new DemoCommand(this));
        commands.put("demo-producer", () -> new DemoProducerCommand(this));
        commands.put("demo-stage", () -> new DemoStageCommand(this));
        commands.put("demo-worker", () -> new DemoWorkerCommand(this));
        return commands;
    }

    private CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(this);
        Map<String, Supplier<Object>> commands = commands();
        // Reading the annotations of all commands takes longer than most commands run: only the named one's are read.
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
                .setOut(new PrintWriter(new OutputStreamWriter(io.out(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(io.err(), StandardCharsets.UTF_8), true))
                .setExecutionStrategy(parsed -> {
                    Logging.level(verbosity.length);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((failure, ignored) -> usageError(failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
    }

    @Override
    public void run() {
        throw CliException.usage("which command? 'jono --help' lists them");
    }

    private int usageError(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        io.say("jono: " + ErrorLine.of(failure));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            io.say("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return Exit.USAGE;
    }

    private int failed(Throwable failure) {
        if (failure instanceof InterruptedException) {
            return InterruptSignals.exitCode();
        }
        io.say("jono: " + ErrorLine.of(failure));
        if (isVerbose()) {
            failure.printStackTrace(io.err());
        }
        return failure instanceof CliException known ? known.exitCode() : Exit.ERROR;
    }

    Io io() {
        return io;
    }

    boolean isVerbose() {
        return verbosity.length > 0;
    }

    private DeadLetter deadLetter() {
        return limit.queue(deadLetter);
    }

    /** Connects with the common options, and with interceptors. */
    QueueFactory connect(String url, Interceptor... interceptors) {
        QueueOptions.Builder defaults = QueueOptions.builder().deadLetter(deadLetter());
        if (keep != null) {
            defaults.history(keep);
        }
        QueueFactoryBuilder builder = builder(url).queueDefaults(defaults.build());
        Arrays.asList(interceptors).forEach(builder::interceptor);
        return builder.connect();
    }

    /** Lettuce would unpack Netty's native library at each start; Unix sockets alone need it. */
    private static void chooseTransport(@Nullable String... urls) {
        boolean sockets = Arrays.stream(urls).anyMatch(url -> url != null && url.contains(":redis-socket:"));
        if (!sockets && System.getProperty(NATIVE_TRANSPORT) == null) {
            System.setProperty(NATIVE_TRANSPORT, "false");
        }
    }

    /** A factory with the common options but those of queues. */
    QueueFactoryBuilder builder(String url) {
        chooseTransport(url, signaller, stats);
        QueueFactoryBuilder builder =
                QueueFactory.builder(url).namespace(namespace).deadLetter(deadLetter());
        if (signaller != null) {
            builder.signaller(signaller);
        }
        if (stats != null) {
            builder.stats(stats);
        }
        return builder;
    }

    /** The common options that a child process needs, as they are written on a command line. */
    List<String> forChild() {
        List<String> options = new ArrayList<>(List.of("--namespace", namespace));
        if (signaller != null) {
            options.addAll(List.of("--signaller", signaller));
        }
        if (stats != null) {
            options.addAll(List.of("--stats", stats));
        }
        if (isVerbose()) {
            options.add("-v");
        }
        return options;
    }
}
