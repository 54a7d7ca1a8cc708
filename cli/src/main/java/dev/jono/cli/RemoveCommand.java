package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "remove", sortOptions = false, description = "Remove a message by its id, unless a consumer holds it.")
final class RemoveCommand extends QueueCommand {
    @Parameters(index = "2", paramLabel = "ID", description = "The message's id.")
    private String id = "";

    RemoveCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        String where = "message " + id + " in queue '" + queue.name() + "'";
        return switch (queue.remove(id)) {
            case REMOVED -> {
                io().say("removed " + where);
                yield Exit.DONE;
            }
            case HELD -> throw CliException.error("not removed: a consumer holds " + where);
            case ABSENT -> {
                io().say("there is no " + where);
                yield Exit.NOTHING;
            }
        };
    }
}
