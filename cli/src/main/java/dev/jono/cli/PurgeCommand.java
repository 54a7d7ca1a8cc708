package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "purge",
        sortOptions = false,
        description = {
            "Remove all messages of a queue that no consumer holds, including scheduled ones.",
            "This cannot be undone."
        })
final class PurgeCommand extends QueueCommand {
    @Option(names = "--yes", description = "Confirm the removal.")
    private boolean yes;

    PurgeCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (!yes) {
            throw CliException.usage("purge removes messages permanently; confirm it with --yes");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        new JsonLines(io().out()).count("purged", queue.purge());
        return Exit.DONE;
    }
}
