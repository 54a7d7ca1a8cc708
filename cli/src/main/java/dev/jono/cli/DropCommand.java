package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueNotEmptyException;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "drop",
        sortOptions = false,
        description =
                "Delete a queue that is over: its name, history, counters and pause. Refused while it holds messages.")
final class DropCommand extends QueueCommand {
    @Option(names = "--yes", description = "Yes, I mean it.")
    private boolean yes;

    @Option(names = "--force", description = "Delete its messages too, the reserved ones included.")
    private boolean force;

    DropCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (!yes) {
            throw CliException.usage("drop deletes a queue for good; say --yes to do it");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        long messages = drop(queue);
        try {
            JsonLines out = new JsonLines(io().out());
            out.line(json -> {
                json.writeStringField("dropped", queue.name());
                json.writeNumberField("messages", messages);
            });
            out.flush();
        } catch (IOException e) {
            throw CliException.error(
                    "queue '" + queue.name() + "' dropped with " + ErrorLine.messages(messages) + ", but "
                            + ErrorLine.of(e),
                    e);
        }
        return Exit.DONE;
    }

    /** Returns how many messages went with it. */
    private long drop(MessageQueue<EncodedPayload> queue) {
        if (force) {
            return queue.deleteWithMessages();
        }
        try {
            queue.delete();
            return 0;
        } catch (QueueNotEmptyException refused) {
            throw CliException.error(
                    "queue '" + queue.name() + "' was not dropped: it holds "
                            + ErrorLine.messages(refused.messages())
                            + "; 'jono purge' removes those that nobody holds, --force drops the queue with all",
                    refused);
        }
    }
}
