package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "push",
        sortOptions = false,
        description = {
            "Store messages: from arguments, or one per line of a file or of standard input.",
            "Invalid lines are refused and reported at the end, with exit code 1. The others are stored."
        })
final class PushCommand extends QueueCommand {
    private static final int MAX_BATCH = 10_000;

    @Parameters(index = "2..*", paramLabel = "PAYLOAD", description = "Payloads. Without any, lines are read.")
    private List<String> payloads = List.of();

    @Option(names = "--file", paramLabel = "PATH", description = "Read lines from this file.")
    private @Nullable Path file;

    @Option(
            names = "--as",
            paramLabel = "KIND",
            description = "The kind of the payloads: json (default), string or bytes (base64).")
    private PayloadKind kind = PayloadKind.JSON;

    @Option(names = "--delay", paramLabel = "DURATION", description = "The messages are due after this time.")
    private @Nullable Duration delay;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The messages are due at this time, such as 2030-12-31T23:59:00Z.")
    private @Nullable Instant at;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "A header; may be repeated.")
    private List<String> headers = List.of();

    @Mixin
    private final PushKeys keys = new PushKeys();

    @Mixin
    private final KeyedOption keyed = new KeyedOption();

    @Option(names = "--batch", paramLabel = "N", description = "Messages per storage call. Default: ${DEFAULT-VALUE}.")
    private int batch = 512;

    @Option(names = "--ids", description = "Print {\"id\": ...} for each message as soon as it is stored.")
    private boolean ids;

    PushCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (file != null && !payloads.isEmpty()) {
            throw CliException.usage("payload arguments and --file exclude each other");
        }
        if (delay != null && at != null) {
            throw CliException.usage("--delay and --at exclude each other");
        }
        if (batch < 1 || batch > MAX_BATCH) {
            throw CliException.usage("--batch must be between 1 and " + MAX_BATCH + ": " + batch);
        }
        keys.check(keyed.isSet());
        keyed.options();
        options();
    }

    private PushOptions options() {
        try {
            PushOptions options =
                    at != null ? PushOptions.at(at) : delay != null ? PushOptions.delay(delay) : PushOptions.none();
            for (String header : headers) {
                int equals = header.indexOf('=');
                if (equals < 1) {
                    throw CliException.usage("--header expects NAME=VALUE: " + header);
                }
                options = options.header(header.substring(0, equals), header.substring(equals + 1));
            }
            return keys.addTo(options);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }

    @Override
    QueueOptions queueOptions() {
        return keyed.options();
    }

    @Override
    boolean createsStorage() {
        return true;
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        if (!payloads.isEmpty()) {
            return push(queue, PayloadSource.words(payloads, kind), 0);
        }
        if (file != null) {
            try (InputStream in = Files.newInputStream(file)) {
                return push(queue, PayloadSource.lines(in, kind), Files.size(file));
            }
        }
        if (io().terminal() && Io.isTerminal(0)) {
            io().say("Reading messages from the terminal, one per line; Ctrl-D ends the input.");
        }
        return push(queue, PayloadSource.lines(io().in(), kind), 0);
    }

    private int push(MessageQueue<EncodedPayload> queue, PayloadSource source, long totalBytes) throws IOException {
        BatchSender.Outcome outcome;
        try (InterruptSignals signals = new InterruptSignals();
                Progress progress = new Progress(io(), totalBytes)) {
            outcome = new BatchSender(queue, options(), source, batch, progress).run(new IdLines(), signals);
        }
        String done = ErrorLine.messages(outcome.stored()) + " stored in queue '" + queue.name() + "'"
                + duplicates(outcome.duplicates())
                + (outcome.idsNotPrinted() == 0
                        ? ""
                        : ", the last " + outcome.idsNotPrinted() + " of them without their id printed");
        if (outcome.failure() != null) {
            throw CliException.error(outcome.failure() + "; " + done);
        }
        io().say(String.format(
                Locale.ROOT, "%s%s in %.1f s", outcome.interrupted() ? "interrupted; " : "", done, outcome.seconds()));
        return outcome.interrupted() ? InterruptSignals.exitCode() : Exit.DONE;
    }

    private static String duplicates(long number) {
        return number == 0 ? "" : ", " + number + (number == 1 ? " duplicate" : " duplicates") + " not stored";
    }

    private final class IdLines implements BatchSender.Ids {
        private final JsonLines lines;

        IdLines() throws IOException {
            this.lines = new JsonLines(io().out());
        }

        @Override
        public void stored(PushResult result) throws IOException {
            if (ids) {
                lines.line(json -> {
                    json.writeStringField("id", result.id());
                    if (result.duplicate()) {
                        json.writeBooleanField("duplicate", true);
                    }
                });
            }
        }

        @Override
        public void flush() throws IOException {
            lines.flush();
        }
    }
}
