package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "history",
        sortOptions = false,
        description = {
            "Show consumed messages that are kept, the latest first.",
            "They are kept where their consumer says so: --keep, or the queue's options in a program."
        })
final class HistoryCommand extends QueueCommand {
    @Option(names = "-n", paramLabel = "N", description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private int number = 10;

    HistoryCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        JsonLines lines = new JsonLines(io().out());
        List<BrowsedMessage<EncodedPayload>> kept = queue.history(number);
        for (BrowsedMessage<EncodedPayload> message : kept) {
            lines.browsed(message);
        }
        lines.flush();
        return kept.isEmpty() ? Exit.NOTHING : Exit.DONE;
    }
}
