package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "history",
        sortOptions = false,
        description = {
            "Show consumed messages, the latest first.",
            "Consumers keep a history only if they are told to: by --keep, or by the queue's options in a program."
        })
final class HistoryCommand extends BrowseCommand {
    HistoryCommand(CommonOptions common) {
        super(common);
    }

    @Override
    long print(MessageQueue<EncodedPayload> queue, long number, JsonLines lines) throws IOException {
        List<BrowsedMessage<EncodedPayload>> kept = queue.history((int) Math.min(Integer.MAX_VALUE, number));
        KeyHeads none = new KeyHeads();
        for (BrowsedMessage<EncodedPayload> message : kept) {
            lines.browsed(message, none);
        }
        return kept.size();
    }
}
