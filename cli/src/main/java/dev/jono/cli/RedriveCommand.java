package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "redrive",
        sortOptions = false,
        description = "Send dead letters back to the queues they came from. --dead-letter names the dead-letter queue.")
final class RedriveCommand extends StorageCommand {
    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "ID",
            description = "The ids of dead letters. Without any, all that are ready.")
    private List<String> ids = List.of();

    @Option(names = "-n", paramLabel = "N", description = "The maximum number of messages. Default: all.")
    private int most = Integer.MAX_VALUE;

    RedriveCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (most < 1) {
            throw CliException.usage("-n must be at least 1: " + most);
        }
        if (!ids.isEmpty() && most < Integer.MAX_VALUE) {
            throw CliException.usage("ids and -n exclude each other");
        }
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        if (!ids.isEmpty()) {
            return redriveEach(jono.deadLetters());
        }
        long redriven = jono.deadLetters().redrive(most);
        new JsonLines(io().out()).count("redriven", redriven);
        return redriven == 0 ? Exit.NOTHING : Exit.DONE;
    }

    private int redriveEach(MessageQueue<EncodedPayload> deadLetters) throws IOException {
        Edits edits = new Edits(io(), "redriven", deadLetters.name());
        for (String id : ids) {
            Optional<BrowsedMessage<EncodedPayload>> letter = deadLetters.get(id);
            if (letter.isPresent()) {
                redrive(deadLetters, letter.get(), edits);
            } else {
                edits.add(id, EditOutcome.ABSENT);
            }
        }
        return edits.exitCode();
    }

    private static void redrive(
            MessageQueue<EncodedPayload> deadLetters, BrowsedMessage<EncodedPayload> letter, Edits edits) {
        String origin = letter.headers().string(Headers.DL_FROM_QUEUE);
        if (origin == null) {
            edits.refused(letter.id(), "it has no header " + Headers.DL_FROM_QUEUE);
            return;
        }
        EditOutcome outcome;
        try {
            outcome = deadLetters.moveIdle(letter.id(), origin);
        } catch (IllegalArgumentException noSuchName) {
            edits.refused(letter.id(), ErrorLine.of(noSuchName));
            return;
        }
        edits.add(letter.id(), outcome);
    }
}
