package dev.jono.cli;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pipe",
        sortOptions = false,
        description = {
            "Run a command as a stage of a pipeline between two queues, until Ctrl-C.",
            "The command reads the payload from standard input, and writes the new payload to standard output. Exit code 0"
                    + " moves the message to the queue TO. Any other exit code retries the message after a growing delay."
                    + " A dead letter shows the last lines of standard error as its reason.",
            ShellEnvironment.HELP,
            "The first Ctrl-C (or SIGTERM) lets running commands finish. The second one kills them."
        })
final class PipeCommand extends StorageCommand {
    private static final int MAX_EXIT_CODE = 255;
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(10);

    @Parameters(index = "1", paramLabel = "FROM", description = "The source queue.")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO", description = "The target queue.")
    private String to = "";

    @Mixin
    private final RunOptions options = new RunOptions();

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    @Mixin
    private final TargetKeyedOption targetKeyed = new TargetKeyedOption();

    private final DeliveryCounts tally = new DeliveryCounts(
            DeliveryCounts.Result.MOVED, DeliveryCounts.Result.DROPPED, DeliveryCounts.Result.REJECTED);

    @Option(
            names = "--drop-on",
            paramLabel = "CODE",
            split = ",",
            description = "An exit code that removes the message. May be repeated.")
    private Set<Integer> dropOn = new LinkedHashSet<>();

    @Option(
            names = "--reject-on",
            paramLabel = "CODE",
            split = ",",
            description = "An exit code that makes the message a dead letter at once. May be repeated.")
    private Set<Integer> rejectOn = new LinkedHashSet<>();

    @Option(
            names = "--as",
            paramLabel = "KIND",
            description = "The kind of payload that the command writes: json, string or bytes. Default: as before.")
    private @Nullable PayloadKind kind;

    @Option(names = "--unchanged", description = "Keep the payload. The output of the command goes to standard output.")
    private boolean unchanged;

    @Option(
            names = "--retry-delay",
            paramLabel = "DURATION",
            description = "The delay after the first failure of a message. It doubles with each failure, up to 10m."
                    + " Default: 1s.")
    private Duration retryDelay = Duration.ofSeconds(1);

    PipeCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        options.check();
        keyed.options();
        targetKeyed.options();
        if (from.equals(to)) {
            throw CliException.usage("a stage cannot move messages into its own queue: " + from);
        }
        checkCodes("--drop-on", dropOn);
        checkCodes("--reject-on", rejectOn);
        if (rejectOn.stream().anyMatch(dropOn::contains)) {
            throw CliException.usage("--drop-on and --reject-on cannot have the same exit code");
        }
        if (unchanged && kind != null) {
            throw CliException.usage("--unchanged and --as exclude each other");
        }
        if (retryDelay.compareTo(LONGEST_DELAY) > 0) {
            throw CliException.usage("--retry-delay must not be longer than 10m");
        }
    }

    private static void checkCodes(String option, Set<Integer> codes) {
        for (int code : codes) {
            if (code < 1 || code > MAX_EXIT_CODE) {
                throw CliException.usage(option + " must be between 1 and " + MAX_EXIT_CODE + ": " + code);
            }
        }
    }

    @Override
    boolean createsStorage() {
        return true;
    }

    @Override
    QueueFactory connect(String storage) {
        return common().connect(storage, tally);
    }

    @Override
    int run(QueueFactory jono) {
        MessageQueue<EncodedPayload> source = jono.queue(from, Codec.raw(), keyed.options());
        MessageQueue<EncodedPayload> target = jono.queue(to, Codec.raw(), targetKeyed.options());
        ShellCommand shell = new ShellCommand(options.command());
        ShellStage stage =
                new ShellStage(io(), shell, new ShellStage.Settings(dropOn, rejectOn, kind, unchanged), tally);
        try (InterruptSignals signals = new InterruptSignals(shell::destroyAll)) {
            Pipeline pipeline = jono.pipeline("pipe")
                    .concurrency(options.concurrency())
                    .maxRuntime(options.maxRuntime())
                    .retryDelay(Backoff.exponential(retryDelay, 2, LONGEST_DELAY, 0))
                    .direct(source, target, stage)
                    .start();
            io().say("moving from queue '" + from + "' to queue '" + to + "'; Ctrl-C stops");
            RunOptions.untilInterrupted();
            io().say("waiting for " + shell.running() + " running commands; Ctrl-C again kills them");
            pipeline.stop(options.maxRuntime());
            io().say(tally.summary());
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }
}
