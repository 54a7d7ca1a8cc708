package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import picocli.CommandLine.Command;

@Command(name = "resume", sortOptions = false, description = "End the pause of a queue.")
final class ResumeCommand extends QueueCommand {
    ResumeCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        queue.resume();
        io().say("queue '" + queue.name() + "' is resumed");
        return Exit.DONE;
    }
}
