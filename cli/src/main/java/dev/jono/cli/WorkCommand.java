package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "work",
        sortOptions = false,
        description = {
            "Run a command for each message, until Ctrl-C.",
            "The payload is its standard input. Exit code 0 acks the message, any other retries it later.",
            ShellEnvironment.HELP,
            "The first Ctrl-C (or SIGTERM) lets the running commands finish; the second ends them."
        })
final class WorkCommand extends QueueCommand {
    @Mixin
    private final RunOptions options = new RunOptions();

    private final DeliveryCounts tally = new DeliveryCounts(DeliveryCounts.Result.SUCCEEDED);

    WorkCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        options.check();
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
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        ShellCommand shell = new ShellCommand(options.command());
        ShellHandler handler = new ShellHandler(io(), shell, tally);
        try (InterruptSignals signals = new InterruptSignals(shell::destroyAll)) {
            Worker worker = jono.worker()
                    .name("work " + queue.name())
                    .concurrency(options.concurrency())
                    .maxRuntime(options.maxRuntime())
                    .from(queue, handler)
                    .start();
            io().say("working on queue '" + queue.name() + "'; Ctrl-C ends");
            RunOptions.untilInterrupted();
            io().say("finishing " + worker.status().running() + " running; once more forces");
            worker.stop(options.maxRuntime());
            io().say(tally.summary());
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }
}
