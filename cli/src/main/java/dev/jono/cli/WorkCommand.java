package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "work",
        sortOptions = false,
        description = {
            "Run a command for each message, until Ctrl-C.",
            "The command reads the payload from standard input. Exit code 0 acks the message. Any other exit code retries"
                    + " it later.",
            ShellEnvironment.HELP,
            "The first Ctrl-C (or SIGTERM) lets running commands finish. The second one kills them."
        })
final class WorkCommand extends QueueCommand {
    @Mixin
    private final RunOptions options = new RunOptions();

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    private final DeliveryCounts tally = new DeliveryCounts(DeliveryCounts.Result.SUCCEEDED);

    WorkCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        options.check();
        keyed.options();
    }

    @Override
    QueueOptions queueOptions() {
        return keyed.options();
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
            io().say("working on queue '" + queue.name() + "'; Ctrl-C stops");
            RunOptions.untilInterrupted();
            io().say("waiting for " + worker.status().running() + " running commands; Ctrl-C again kills them");
            worker.stop(options.maxRuntime());
            io().say(tally.summary());
            return signals.raised() ? Exit.DONE : Exit.INTERRUPTED;
        }
    }
}
