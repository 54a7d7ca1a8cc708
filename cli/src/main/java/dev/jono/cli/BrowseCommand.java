package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The base of commands that print up to {@code -n} messages of a queue without taking them. */
abstract class BrowseCommand extends QueueCommand {
    @Option(names = "-n", paramLabel = "N", description = "The maximum number of messages. Default: ${DEFAULT-VALUE}.")
    private long number = 10;

    BrowseCommand(CommonOptions common) {
        super(common);
    }

    @Override
    final void checkUsage() {
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
    }

    @Override
    final int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        JsonLines lines = new JsonLines(io().out());
        long printed = print(queue, number, lines);
        lines.flush();
        return printed == 0 ? Exit.NOTHING : Exit.DONE;
    }

    /** Prints up to this number of messages, and returns how many there were. */
    abstract long print(MessageQueue<EncodedPayload> queue, long number, JsonLines lines) throws IOException;
}
