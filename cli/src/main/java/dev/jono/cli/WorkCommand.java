package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "work",
        sortOptions = false,
        description = {
            "Run a command for each message, until Ctrl-C.",
            "The payload is its standard input; JONO_ID, JONO_QUEUE and JONO_TRIES are in its environment. Exit code 0"
                    + " acks the message, any other retries it later.",
            "The first Ctrl-C (or SIGTERM) lets the running commands finish; the second ends them."
        })
final class WorkCommand extends QueueCommand {
    private static final int MAX_CONCURRENCY = 10_000;

    @Option(names = "--exec", required = true, paramLabel = "CMD", description = "The command, for 'sh -c'.")
    private String command = "";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "How many commands run at once. Default: ${DEFAULT-VALUE}.")
    private int concurrency = 1;

    @Option(
            names = "--max-runtime",
            paramLabel = "DURATION",
            description = "How long a command may run before it is ended and its message retried. Default: 1h.")
    private Duration maxRuntime = Duration.ofHours(1);

    WorkCommand(Main main) {
        super(main);
    }

    @Override
    void checkUsage() {
        if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
            throw CliException.usage("--concurrency must be between 1 and " + MAX_CONCURRENCY + ": " + concurrency);
        }
        if (maxRuntime.isZero()) {
            throw CliException.usage("--max-runtime must be longer than 0");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        ShellHandler handler = new ShellHandler(io(), command);
        try (Signals signals = new Signals(handler::destroyAll)) {
            Worker worker = jono.worker()
                    .name("work " + queue.name())
                    .concurrency(concurrency)
                    .maxRuntime(maxRuntime)
                    .from(queue, handler)
                    .start();
            io().say("working on queue '" + queue.name() + "'; Ctrl-C ends");
            untilInterrupted();
            io().say("finishing " + worker.status().running() + " running; once more forces");
            worker.stop(maxRuntime);
            io().say(handler.succeeded() + " succeeded, " + handler.failed() + " failed");
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }

    private static void untilInterrupted() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // This is how the work ends.
        }
    }
}
