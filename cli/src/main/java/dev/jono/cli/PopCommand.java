package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
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
            "Take messages out of a queue and print them.",
            "At most once: what was taken and could not be printed is gone; 'reserve --then ack' is the careful way."
        })
final class PopCommand extends QueueCommand {
    @Mixin
    private final Limit limit = new Limit();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for a message when none is there. Default: not at all.")
    private Duration wait = Duration.ZERO;

    PopCommand(Main main) {
        super(main);
    }

    @Override
    void checkUsage() {
        limit.check();
    }

    @Override
    boolean makes() {
        return !wait.isZero();
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException, InterruptedException {
        JsonLines lines = new JsonLines(io().out());
        long taken = 0;
        try (Signals signals = new Signals()) {
            while (!signals.raised() && taken < limit.most()) {
                List<Message<EncodedPayload>> messages = queue.pop(limit.chunk(taken), wait);
                if (messages.isEmpty()) {
                    break;
                }
                print(lines, messages);
                taken += messages.size();
            }
            if (signals.raised()) {
                return Signals.exitCode();
            }
        }
        if (taken == 0) {
            sayIfPaused(queue);
        }
        return taken == 0 ? Exit.NOTHING : Exit.DONE;
    }

    private static void print(JsonLines lines, List<Message<EncodedPayload>> messages) throws IOException {
        try {
            for (Message<EncodedPayload> message : messages) {
                lines.message(message);
            }
            lines.flush();
        } catch (IOException e) {
            throw CliException.error(
                    ErrorLine.of(e) + "; of the last " + messages.size()
                            + " messages taken, those not printed are gone ('reserve --then ack' loses none)",
                    e);
        }
    }
}
