package dev.jono.cli;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "move", sortOptions = false, description = "Move ready messages to another queue.")
final class MoveCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "FROM", description = "The source queue.")
    private String from = "";

    @Parameters(index = "2", paramLabel = "TO", description = "The target queue.")
    private String to = "";

    @Option(names = "-n", paramLabel = "N", description = "The maximum number of messages. Default: all.")
    private long most = Long.MAX_VALUE;

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    @Mixin
    private final TargetKeyedOption targetKeyed = new TargetKeyedOption();

    MoveCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (most < 1) {
            throw CliException.usage("-n must be at least 1: " + most);
        }
        if (from.equals(to)) {
            throw CliException.usage("a queue cannot be moved into itself: " + from);
        }
        keyed.options();
        targetKeyed.options();
    }

    @Override
    int run(QueueFactory jono) throws IOException, InterruptedException {
        MessageQueue<EncodedPayload> source = jono.queue(from, Codec.raw(), keyed.options());
        MessageQueue<EncodedPayload> target =
                jono.queue(to, Codec.raw(), targetKeyed.options()); // refuses an invalid name
        long moved = 0;
        boolean interrupted;
        try (InterruptSignals signals = new InterruptSignals()) {
            while (!signals.raised() && moved < most) {
                List<Reservation<EncodedPayload>> messages =
                        source.reserve((int) Math.min(CountOptions.BATCH, most - moved), Duration.ZERO);
                if (messages.isEmpty()) {
                    break;
                }
                moved += move(messages, target, moved);
            }
            interrupted = signals.raised();
        }
        new JsonLines(io().out()).count("moved", moved);
        return interrupted ? InterruptSignals.exitCode() : moved == 0 ? Exit.NOTHING : Exit.DONE;
    }

    private static int move(
            List<Reservation<EncodedPayload>> messages, MessageQueue<EncodedPayload> target, long before) {
        List<CompletableFuture<Void>> steps =
                messages.stream().map(m -> m.moveToAsync(target.name())).toList();
        int moved = 0;
        RuntimeException first = null;
        for (CompletableFuture<Void> step : steps) {
            try {
                step.join();
                moved++;
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw CliException.error(ErrorLine.of(first) + "; " + (before + moved) + " messages were moved", first);
        }
        return moved;
    }
}
