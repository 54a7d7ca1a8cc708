package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import picocli.CommandLine.Command;

@Command(
        name = "pause",
        sortOptions = false,
        description = "Stop the consumption of a queue in all processes until 'resume'. Producers continue.")
final class PauseCommand extends QueueCommand {
    PauseCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        queue.pause();
        io().say("queue '" + queue.name() + "' is paused");
        return Exit.DONE;
    }
}
