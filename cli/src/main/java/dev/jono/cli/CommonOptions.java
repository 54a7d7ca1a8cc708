package dev.jono.cli;

import dev.jono.DeadLetter;
import dev.jono.Interceptor;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of every command, and the streams of the process. Commands use it on the main thread to connect to a
 * storage and to start child processes.
 */
final class CommonOptions {
    private static final String NATIVE_TRANSPORT = "io.lettuce.core.epoll";

    private final Io io;
    private final Class<?> mainClass;

    @Option(
            names = "--namespace",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            order = 100,
            description = "Separates signals, stats and pauses, but not messages. Default: ${DEFAULT-VALUE}.")
    private String namespace = "N";

    @Option(
            names = "--signaller",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            order = 101,
            description = "Carries signals between processes. Default: the backend's own.")
    private @Nullable String signaller;

    @Option(
            names = "--stats",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            order = 102,
            description = "Keeps counters and pauses. Default: the backend's own.")
    private @Nullable String stats;

    @Option(
            names = "--max-deliveries",
            scope = ScopeType.INHERIT,
            paramLabel = "N",
            order = 103,
            description = "After N deliveries a retry moves a message to the dead-letter queue. Default: 25.")
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
            description = "How long to keep consumed messages as history. Default: no history.")
    private @Nullable Duration keep;

    @Option(
            names = "-v",
            scope = ScopeType.INHERIT,
            order = 106,
            description = "Log more, and print stack traces of errors. -vv logs even more.")
    private boolean[] verbosity = {};

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            order = 107,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads the option, not the field
    private boolean help;

    /**
     * Options with their defaults.
     *
     * @param mainClass the class that child processes run
     */
    CommonOptions(Io io, Class<?> mainClass) {
        this.io = io;
        this.mainClass = mainClass;
    }

    Io io() {
        return io;
    }

    int verbosity() {
        return verbosity.length;
    }

    boolean isVerbose() {
        return verbosity.length > 0;
    }

    private DeadLetter deadLetter() {
        return limit.queue(deadLetter);
    }

    /** Connects with the common options and these interceptors. */
    QueueFactory connect(String url, Interceptor... interceptors) {
        QueueOptions.Builder defaults = QueueOptions.builder().deadLetter(deadLetter());
        if (keep != null) {
            defaults.history(keep);
        }
        QueueFactoryBuilder builder = builder(url).queueDefaults(defaults.build());
        Arrays.asList(interceptors).forEach(builder::interceptor);
        return builder.connect();
    }

    /** Lettuce would unpack Netty's native library at each start. Only Unix sockets need it. */
    private static void chooseTransport(@Nullable String... urls) {
        boolean sockets = Arrays.stream(urls).anyMatch(url -> url != null && url.contains(":redis-socket:"));
        if (!sockets && System.getProperty(NATIVE_TRANSPORT) == null) {
            System.setProperty(NATIVE_TRANSPORT, "false");
        }
    }

    /** A builder with the common options, except those of queues. */
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

    /**
     * Starts a command in another process, with the common options of this one.
     *
     * @param name of the process, in messages
     * @param jvmOptions options for its JVM
     * @param arguments the command and its arguments
     * @param output gets each line of its standard output, on a thread of its own
     * @param errors gets each line of its standard error, on another one
     */
    ChildProcess startChild(
            String name,
            List<String> jvmOptions,
            List<String> arguments,
            Consumer<String> output,
            Consumer<String> errors)
            throws IOException {
        List<String> words = new ArrayList<>(arguments);
        words.addAll(List.of("--namespace", namespace));
        if (signaller != null) {
            words.addAll(List.of("--signaller", signaller));
        }
        if (stats != null) {
            words.addAll(List.of("--stats", stats));
        }
        if (isVerbose()) {
            words.add("-v");
        }
        return ChildProcess.start(name, mainClass, jvmOptions, words, output, errors);
    }
}
