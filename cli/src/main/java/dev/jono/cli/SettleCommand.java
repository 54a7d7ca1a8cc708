package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Lease;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "settle",
        sortOptions = false,
        description = "Settle messages that any process holds, by the receipts that 'reserve --then hold' prints.")
final class SettleCommand extends QueueCommand {
    @Parameters(index = "2..*", arity = "1..*", paramLabel = "RECEIPT", description = "Receipts.")
    private List<String> receipts = List.of();

    @Option(
            names = "--as",
            required = true,
            paramLabel = "STEP",
            description = "What to do: ack, retry, release or reject.")
    private Settlement as = Settlement.ACK;

    @Option(names = "--delay", paramLabel = "DURATION", description = "For retry and release: the delay.")
    private @Nullable Duration delay;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "For reject: the reason. Default: '${DEFAULT-VALUE}'.")
    private String reason = "rejected by hand";

    SettleCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        as.check(delay);
        if (as == Settlement.HOLD) {
            throw CliException.usage("--as expects ack, retry, release or reject");
        }
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) {
        // All receipts are parsed first, so that a wrong one changes nothing.
        List<Lease> leases = receipts.stream().map(queue::lease).toList();
        List<CompletableFuture<String>> steps = as.settleAll(leases, delay, reason, /* keyed= */ true);
        Map<String, String> settled = new LinkedHashMap<>();
        for (int i = 0; i < steps.size(); i++) {
            try {
                settled.put(leases.get(i).id(), steps.get(i).join());
            } catch (RuntimeException e) {
                io().say("jono: " + ErrorLine.of(e));
            }
        }
        print(settled);
        return settled.size() == steps.size() ? Exit.DONE : Exit.ERROR;
    }

    private void print(Map<String, String> settled) {
        try {
            JsonLines lines = new JsonLines(io().out());
            for (Map.Entry<String, String> each : settled.entrySet()) {
                lines.line(json -> {
                    json.writeStringField("id", each.getKey());
                    json.writeStringField("settled", each.getValue());
                });
            }
            lines.flush();
        } catch (IOException e) {
            throw CliException.error(ErrorLine.messages(settled.size()) + " settled, but " + ErrorLine.of(e), e);
        }
    }
}
