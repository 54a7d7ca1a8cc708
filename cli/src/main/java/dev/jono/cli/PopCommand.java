package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "pop",
        sortOptions = false,
        description = {
            "Remove messages from a queue and print them.",
            "Messages that cannot be printed, because a pipe is closed or a disk is full, return to their old place.",
            "If this process is killed, taken messages are lost (at most once). 'reserve --then ack' loses none."
        })
final class PopCommand extends QueueCommand {
    @Mixin
    private final CountOptions limit = new CountOptions();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for a message if none is ready. Default: 0.")
    private Duration wait = Duration.ZERO;

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    PopCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        limit.check();
        keyed.options();
    }

    @Override
    QueueOptions queueOptions() {
        return keyed.options();
    }

    @Override
    boolean createsStorage() {
        return !wait.isZero();
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException, InterruptedException {
        JsonLines lines = new JsonLines(io().out());
        long taken = 0;
        try (InterruptSignals signals = new InterruptSignals()) {
            while (!signals.raised() && taken < limit.maximum()) {
                List<Message<EncodedPayload>> messages = queue.pop(limit.nextBatch(taken), wait);
                if (messages.isEmpty()) {
                    break;
                }
                print(lines, queue, messages);
                taken += messages.size();
            }
            if (signals.raised()) {
                return InterruptSignals.exitCode();
            }
        }
        if (taken == 0) {
            sayIfPaused(queue);
        }
        return taken == 0 ? Exit.NOTHING : Exit.DONE;
    }

    private static void print(
            JsonLines lines, MessageQueue<EncodedPayload> queue, List<Message<EncodedPayload>> messages) {
        int printed = 0;
        try {
            for (Message<EncodedPayload> message : messages) {
                lines.message(message);
                lines.flush();
                printed++;
            }
        } catch (IOException e) {
            throw CliException.error(
                    ErrorLine.of(e) + "; " + putBack(queue, messages.subList(printed, messages.size())), e);
        }
    }

    /** Puts messages back that were taken and not printed. Returns a description for the error message. */
    private static String putBack(MessageQueue<EncodedPayload> queue, List<Message<EncodedPayload>> messages) {
        String which = ErrorLine.messages(messages.size()) + " taken and not printed";
        try {
            queue.restore(messages);
            return which + " went back to queue '" + queue.name() + "'";
        } catch (RuntimeException e) {
            return which + " may be lost: " + ErrorLine.of(e);
        }
    }
}
