package dev.jono.cli;

import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "reschedule",
        sortOptions = false,
        description = {
            "Change the due time of messages, unless a consumer holds them.",
            "Without --at and --delay they are due now."
        })
final class RescheduleCommand extends QueueCommand {
    @Parameters(index = "2..*", arity = "1..*", paramLabel = "ID", description = "The messages' ids.")
    private List<String> ids = List.of();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The messages are due at this time, such as 2030-12-31T23:59:00Z.")
    private @Nullable Instant at;

    @Option(
            names = {"--delay", "--in"},
            paramLabel = "DURATION",
            description = "The messages are due after this time.")
    private @Nullable Duration delay;

    RescheduleCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (at != null && delay != null) {
            throw CliException.usage("--at and --delay exclude each other");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        Edits edits = new Edits(io(), "rescheduled", queue.name());
        for (String id : ids) {
            edits.add(id, reschedule(queue, id));
        }
        return edits.exitCode();
    }

    private EditOutcome reschedule(MessageQueue<EncodedPayload> queue, String id) {
        if (at != null) {
            return queue.reschedule(id, at);
        }
        return queue.reschedule(id, delay == null ? Duration.ZERO : delay);
    }
}
