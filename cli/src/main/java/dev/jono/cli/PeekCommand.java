package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "peek",
        sortOptions = false,
        description = {
            "Show messages without taking them: ready, scheduled, reserved and blocked ones, by due time.",
            "A blocked message waits for an earlier one of its ordering key. If that one was read too, 'blockedBy' is its id."
        })
final class PeekCommand extends BrowseCommand {
    PeekCommand(CommonOptions common) {
        super(common);
    }

    @Override
    long print(MessageQueue<EncodedPayload> queue, long number, JsonLines lines) throws IOException {
        @Nullable String after = null;
        KeyHeads heads = new KeyHeads();
        long printed = 0;
        while (printed < number) {
            List<BrowsedMessage<EncodedPayload>> page =
                    queue.browse(after, (int) Math.min(CountOptions.BATCH, number - printed));
            if (page.isEmpty()) {
                break;
            }
            heads.read(page);
            for (BrowsedMessage<EncodedPayload> message : page) {
                lines.browsed(message, heads);
            }
            lines.flush();
            printed += page.size();
            after = page.get(page.size() - 1).cursor();
        }
        return printed;
    }
}
