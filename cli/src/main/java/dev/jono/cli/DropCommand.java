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
        description = "Delete a queue with its history, counters and pause. Refused while the queue holds messages.")
final class DropCommand extends QueueCommand {
    @Option(names = "--yes", description = "Confirm the deletion.")
    private boolean yes;

    @Option(names = "--force", description = "Delete its messages too, including reserved ones.")
    private boolean force;

    DropCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (!yes) {
            throw CliException.usage("drop deletes a queue permanently; confirm it with --yes");
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

    /** Returns how many messages were deleted with the queue. */
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
                            + "; 'jono purge' removes those that no consumer holds, --force deletes the queue with all"
                            + " messages",
                    refused);
        }
    }
}
