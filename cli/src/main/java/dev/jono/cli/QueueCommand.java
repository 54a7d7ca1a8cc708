package dev.jono.cli;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.io.IOException;
import picocli.CommandLine.Parameters;

/** A command that works on one queue. */
abstract class QueueCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "QUEUE", description = "The queue's name.")
    private String queue = "";

    QueueCommand(CommonOptions common) {
        super(common);
    }

    @Override
    final int run(QueueFactory jono) throws IOException, InterruptedException {
        return run(jono, jono.queue(queue, Codec.raw(), queueOptions()));
    }

    /** The options with which the queue is opened. */
    QueueOptions queueOptions() {
        return QueueOptions.none();
    }

    /** Runs the command, and returns the exit code. */
    abstract int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException, InterruptedException;

    /** Tells the user if the queue is paused, because a paused queue looks empty. */
    final void sayIfPaused(MessageQueue<EncodedPayload> queue) {
        if (queue.isPaused()) {
            io().say("queue '" + queue.name() + "' is paused; 'jono resume' ends the pause");
        }
    }
}
