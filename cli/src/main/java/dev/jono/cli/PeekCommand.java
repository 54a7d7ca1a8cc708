package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "peek",
        sortOptions = false,
        description = "Look at messages without taking them: ready, scheduled and reserved ones, by due time.")
final class PeekCommand extends QueueCommand {
    @Option(names = "-n", paramLabel = "N", description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private long number = 10;

    PeekCommand(CommonOptions common) {
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
        @Nullable String after = null;
        long seen = 0;
        while (seen < number) {
            List<BrowsedMessage<EncodedPayload>> page =
                    queue.browse(after, (int) Math.min(CountOptions.BATCH, number - seen));
            if (page.isEmpty()) {
                break;
            }
            for (BrowsedMessage<EncodedPayload> message : page) {
                lines.browsed(message);
            }
            lines.flush();
            seen += page.size();
            after = page.get(page.size() - 1).cursor();
        }
        return seen == 0 ? Exit.NOTHING : Exit.DONE;
    }
}
