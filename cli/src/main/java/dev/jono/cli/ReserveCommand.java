package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reserve",
        sortOptions = false,
        description = {
            "Reserve messages, print them, and settle them.",
            "With --then hold they stay reserved until their lease ends, or until 'settle' gets their receipts."
        })
final class ReserveCommand extends QueueCommand {
    @Mixin
    private final CountOptions limit = new CountOptions();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for a message if none is ready. Default: 0.")
    private Duration wait = Duration.ZERO;

    @Option(names = "--lease", paramLabel = "DURATION", description = "The lease. Default: 30s.")
    private @Nullable Duration lease;

    @Option(
            names = "--then",
            required = true,
            paramLabel = "STEP",
            description = "What to do with printed messages: ack, retry, release, reject or hold.")
    private Settlement then = Settlement.HOLD;

    @Option(names = "--delay", paramLabel = "DURATION", description = "For retry and release: the delay.")
    private @Nullable Duration delay;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "For reject: the reason. Default: '${DEFAULT-VALUE}'.")
    private String reason = "rejected by hand";

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    ReserveCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        limit.check();
        then.check(delay);
        keyed.options();
        if (lease != null && lease.isZero()) {
            throw CliException.usage("--lease must be longer than 0");
        }
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
        ReserveOptions options = lease == null ? ReserveOptions.none() : ReserveOptions.lease(lease);
        // Messages that return to the queue are settled at the end, or this command would take them again.
        long most = then.givesBack() ? Math.min(limit.maximum(), present(queue)) : limit.maximum();
        JsonLines lines = new JsonLines(io().out());
        List<Reservation<EncodedPayload>> kept = new ArrayList<>();
        long taken = 0;
        try (InterruptSignals signals = new InterruptSignals()) {
            while (!signals.raised() && taken < most) {
                int chunk = (int) Math.min(limit.nextBatch(taken), most - taken);
                List<Reservation<EncodedPayload>> messages = queue.reserve(chunk, wait, options);
                if (messages.isEmpty()) {
                    break;
                }
                taken += messages.size();
                List<Reservation<EncodedPayload>> printed = new ArrayList<>();
                try {
                    print(lines, messages, printed);
                } finally {
                    if (then.givesBack()) {
                        kept.addAll(printed);
                    } else {
                        settle(printed);
                    }
                }
            }
            if (signals.raised()) {
                return InterruptSignals.exitCode();
            }
        } finally {
            settle(kept);
        }
        if (taken == 0) {
            sayIfPaused(queue);
        }
        return taken == 0 ? Exit.NOTHING : Exit.DONE;
    }

    /** The number of messages that can be taken if none of them goes back meanwhile; at least 1. */
    private static long present(MessageQueue<EncodedPayload> queue) {
        QueueCounts counts = queue.counts();
        return Math.max(1, counts.ready() + counts.blocked());
    }

    /** Adds printed messages to {@code printed}. Gives the others back to their old place, uncounted. */
    private void print(
            JsonLines lines, List<Reservation<EncodedPayload>> messages, List<Reservation<EncodedPayload>> printed) {
        try {
            for (Reservation<EncodedPayload> message : messages) {
                if (then == Settlement.HOLD) {
                    lines.reserved(message);
                } else {
                    lines.message(message);
                }
                lines.flush();
                printed.add(message);
            }
        } catch (IOException e) {
            List<Reservation<EncodedPayload>> rest = messages.subList(printed.size(), messages.size());
            throw CliException.error(ErrorLine.of(e) + "; " + giveBack(rest), e);
        }
    }

    /**
     * Gives messages back that were reserved and not printed, the last one first: a message takes the later ones of its
     * ordering key back with it. Returns a description for the error message.
     */
    private static String giveBack(List<Reservation<EncodedPayload>> messages) {
        String which = ErrorLine.messages(messages.size()) + " reserved and not printed";
        try {
            for (int i = messages.size() - 1; i >= 0; i--) {
                messages.get(i).release();
            }
            return which + " went back to the queue";
        } catch (RuntimeException e) {
            return which + " return when their lease ends, at the latest: " + ErrorLine.of(e);
        }
    }

    private void settle(List<Reservation<EncodedPayload>> messages) {
        List<CompletableFuture<String>> steps = then.settleAll(messages, delay, reason, keyed.isSet());
        int refused = 0;
        for (CompletableFuture<String> step : steps) {
            try {
                step.join();
            } catch (RuntimeException e) {
                refused++;
                io().say("jono: " + ErrorLine.of(e));
            }
        }
        if (refused > 0) {
            throw CliException.error(
                    then + " failed for " + refused + " of " + messages.size() + " messages; the others are done");
        }
    }
}
