package dev.jono.cli;

import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.cli.LogLine.Fate;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "demo-producer", hidden = true, description = "The process of 'demo' that pushes the log.")
final class DemoProducerCommand extends DemoChildCommand {
    private static final long SEED = 20_251_121;
    private static final int BATCH = 500;
    private static final int MAX_LINE = 1 << 20;
    private static final Duration PAUSE = Duration.ofMillis(10);

    @Option(names = "--lines")
    private int lines;

    @Option(names = "--file")
    private @Nullable Path file;

    @Option(names = "--backlog")
    private int backlog = 1;

    DemoProducerCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void run(QueueFactory jono, String prefix, SharedClock clock, DemoReport report, ParentWatch parent)
            throws IOException, InterruptedException {
        DemoQueues queues = DemoQueues.open(jono, prefix);
        Pusher pusher = new Pusher(queues, clock, report, parent);
        if (file == null) {
            DemoLog log = new DemoLog(SEED);
            for (int n = 0; n < lines && pusher.push(n, log.next()); n++) {}
        } else {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
                LineReader reader = new LineReader(in, MAX_LINE);
                for (int n = 0; reader.advance() && pusher.push(n, text(reader.line())); n++) {}
            }
        }
        pusher.finish();
    }

    /** Decodes a line. Bytes that are not UTF-8 become replacement characters. */
    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }

    /** Pushes lines in batches, and pauses while too many messages are ready. */
    private final class Pusher {
        private final DemoQueues queues;
        private final SharedClock clock;
        private final DemoReport report;
        private final ParentWatch parent;
        private final List<LogLine> batch = new ArrayList<>();
        private final List<CompletableFuture<?>> scheduled = new ArrayList<>();

        Pusher(DemoQueues queues, SharedClock clock, DemoReport report, ParentWatch parent) {
            this.queues = queues;
            this.clock = clock;
            this.report = report;
            this.parent = parent;
        }

        /** Pushes a line. Returns false if the parent wants this process to stop. */
        boolean push(int n, String text) throws InterruptedException {
            Fate fate = LogLine.fateOf(n);
            if (fate == Fate.LATE) {
                pushScheduled(n, text);
            } else {
                batch.add(new LogLine(n, 0, 0, fate, text));
            }
            if (batch.size() >= BATCH) {
                send();
                while (queues.backlog() > backlog) {
                    if (parent.await(PAUSE)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private void pushScheduled(int n, String text) {
            long delayMillis = 500L + n % 4_000;
            LogLine line = new LogLine(n, clock.micros(), delayMillis, Fate.LATE, text);
            scheduled.add(queues.lines()
                    .pushAsync(line, PushOptions.delay(Duration.ofMillis(delayMillis)))
                    .thenRun(() -> report.send(DemoReport.PUSHED, n)));
        }

        private void send() {
            long now = clock.micros();
            List<LogLine> stamped = batch.stream()
                    .map(line -> new LogLine(line.n(), now, 0, line.fate(), line.text()))
                    .toList();
            batch.clear();
            queues.lines().pushAll(stamped);
            report.send(DemoReport.PUSHED, stamped.stream().map(LogLine::n).toList());
        }

        void finish() {
            if (!batch.isEmpty()) {
                send();
            }
            scheduled.forEach(CompletableFuture::join);
        }
    }
}
