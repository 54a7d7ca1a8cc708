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
            "Run a command as a pipeline's stage between two queues, until Ctrl-C.",
            "A message's payload is its standard input, and its standard output the payload with which the message goes"
                    + " on. Exit code 0 moves the message to the queue TO; any other retries it after a growing delay, with"
                    + " the last lines of standard error as the reason that its dead letter shows.",
            ShellEnvironment.HELP,
            "The first Ctrl-C (or SIGTERM) lets the running commands finish; the second ends them."
        })
final class PipeCommand extends StorageCommand {
    private static final int MAX_EXIT_CODE = 255;
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(10);

    @Parameters(index = "1", paramLabel = "FROM", description = "The queue to take messages from.")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO", description = "The queue to which they go on.")
    private String to = "";

    @Mixin
    private final RunOptions options = new RunOptions();

    private final DeliveryCounts tally = new DeliveryCounts(
            DeliveryCounts.Result.MOVED, DeliveryCounts.Result.DROPPED, DeliveryCounts.Result.REJECTED);

    @Option(
            names = "--drop-on",
            paramLabel = "CODE",
            split = ",",
            description = "An exit code after which the message is done, and goes nowhere. May be repeated.")
    private Set<Integer> dropOn = new LinkedHashSet<>();

    @Option(
            names = "--reject-on",
            paramLabel = "CODE",
            split = ",",
            description = "An exit code after which it goes to the dead letters at once. May be repeated.")
    private Set<Integer> rejectOn = new LinkedHashSet<>();

    @Option(
            names = "--as",
            paramLabel = "KIND",
            description = "What the command writes: json, string or bytes. Default: what the message was.")
    private @Nullable PayloadKind kind;

    @Option(
            names = "--unchanged",
            description = "The payload goes on as it is; what the command writes goes to this one's standard output.")
    private boolean unchanged;

    @Option(
            names = "--retry-delay",
            paramLabel = "DURATION",
            description = "How long a message stays away after its first failure; doubled each time, 10m at most."
                    + " Default: 1s.")
    private Duration retryDelay = Duration.ofSeconds(1);

    PipeCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        options.check();
        if (from.equals(to)) {
            throw CliException.usage("a stage cannot move into its own queue: " + from);
        }
        checkCodes("--drop-on", dropOn);
        checkCodes("--reject-on", rejectOn);
        if (rejectOn.stream().anyMatch(dropOn::contains)) {
            throw CliException.usage("an exit code cannot stand in --drop-on and in --reject-on");
        }
        if (unchanged && kind != null) {
            throw CliException.usage("--unchanged keeps the payload: --as says nothing then");
        }
        if (retryDelay.compareTo(LONGEST_DELAY) > 0) {
            throw CliException.usage("--retry-delay is 10m at most");
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
        MessageQueue<EncodedPayload> source = jono.queue(from, Codec.raw());
        MessageQueue<EncodedPayload> target = jono.queue(to, Codec.raw());
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
            io().say("moving from queue '" + from + "' to queue '" + to + "'; Ctrl-C ends");
            RunOptions.untilInterrupted();
            io().say("finishing " + shell.running() + " running; once more forces");
            pipeline.stop(options.maxRuntime());
            io().say(tally.summary());
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }
}
