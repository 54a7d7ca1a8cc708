package dev.jono.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Option;

/** The options of 'work' and 'pipe', which run a command for each message. */
final class RunOptions {
    private static final int MAX_CONCURRENCY = 10_000;

    @Option(names = "--exec", required = true, paramLabel = "CMD", description = "The shell command, run by 'sh -c'.")
    private String command = "";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "How many commands may run at once. Default: ${DEFAULT-VALUE}.")
    private int concurrency = 1;

    @Option(
            names = "--max-runtime",
            paramLabel = "DURATION",
            description = "How long a command may run. Then it is killed, and its message is retried. Default: 1h.")
    private Duration maxRuntime = Duration.ofHours(1);

    void check() {
        if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
            throw CliException.usage("--concurrency must be between 1 and " + MAX_CONCURRENCY + ": " + concurrency);
        }
        if (maxRuntime.isZero()) {
            throw CliException.usage("--max-runtime must be longer than 0");
        }
    }

    String command() {
        return command;
    }

    int concurrency() {
        return concurrency;
    }

    Duration maxRuntime() {
        return maxRuntime;
    }

    /** Waits for the first Ctrl-C or SIGTERM, which interrupts this thread. */
    static void untilInterrupted() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // The signal handler interrupts this thread to end the command.
        }
    }
}
