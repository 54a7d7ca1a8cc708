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
        description = "Remove all messages of a queue that nobody holds, the scheduled ones too. Cannot be undone.")
final class PurgeCommand extends QueueCommand {
    @Option(names = "--yes", description = "Yes, I mean it.")
    private boolean yes;

    PurgeCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (!yes) {
            throw CliException.usage("purge removes messages for good; say --yes to do it");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        new JsonLines(io().out()).count("purged", queue.purge());
        return Exit.DONE;
    }
}
