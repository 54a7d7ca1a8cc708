package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.spi.ConnectionUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Run a demo: several processes move the lines of a log through queues, and one of them is killed.",
            "A producer, a stage of a pipeline and three workers run in processes of their own. Some messages are"
                    + " scheduled, some fail and are retried, some always fail and become dead letters. One worker is"
                    + " killed while it holds messages.",
            "At the end the demo accounts for every message. Exit code 1 if one was lost, acked twice or delivered early."
        })
final class DemoCommand implements Callable<Integer> {
    private static final int WORKERS = 3;
    private static final int LINES = 120_000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "URL",
            description = "The storage. Default: SQLite in a temporary file.")
    private @Nullable String url;

    @Option(names = "--file", paramLabel = "PATH", description = "Read the lines from this text file.")
    private @Nullable Path file;

    @Option(
            names = "--lines",
            paramLabel = "N",
            description = "The number of lines to generate. Default: " + LINES + ".")
    private @Nullable Integer lines;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = "The producer pauses while more than N messages are ready. Default: ${DEFAULT-VALUE}.")
    private int backlog = 5_000;

    @Option(names = "--json", description = "Print the result as a JSON line instead of a table.")
    private boolean json;

    private final CommonOptions common;

    DemoCommand(CommonOptions common) {
        this.common = common;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (file != null && lines != null) {
            throw CliException.usage("--file and --lines exclude each other");
        }
        int wanted = lines == null ? LINES : lines;
        if (wanted < 1 || backlog < 1) {
            throw CliException.usage("--lines and --backlog must be at least 1");
        }
        if (url != null) {
            StorageCommand.requireShared(url, "demo");
            return run(url, file == null ? wanted : count(file));
        }
        long expected = file == null ? wanted : count(file);
        Path directory = Files.createTempDirectory("jono-demo");
        try {
            return run("sqlite:" + directory.resolve("queues.db"), expected);
        } finally {
            delete(directory);
        }
    }

    private static long count(Path file) throws IOException {
        long count = 0;
        try (var in = Files.newInputStream(file)) {
            LineReader reader = new LineReader(in, 1 << 20);
            while (reader.advance()) {
                count++;
            }
        }
        if (count == 0) {
            throw CliException.error(file + " is empty");
        }
        if (count > Integer.MAX_VALUE) {
            throw CliException.error("too many lines in " + file + ": " + count);
        }
        return count;
    }

    /** Removes the temporary directory. A failure is only reported. */
    private void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            common.io().say("not removed: " + directory + " (" + ErrorLine.of(e) + ")");
        }
    }

    private int run(String storage, long expected) throws IOException, InterruptedException {
        String prefix = "demo-" + UUID.randomUUID() + "-";
        DemoDisplay display = new DemoDisplay(common.io());
        common.io()
                .say(String.format(
                        "demo on %s: %,d lines; 1 producer, 1 pipeline stage, %d workers, one of which will be killed",
                        ConnectionUrl.parse(storage), expected, WORKERS));
        try (InterruptSignals signals = new InterruptSignals();
                QueueFactory jono = common.connect(storage)) {
            DemoQueues queues = DemoQueues.open(jono, prefix);
            try (DemoRun run = new DemoRun(common, queues, display, expected)) {
                SharedClock clock = SharedClock.start();
                run.start(DemoReport.STAGE, child("demo-stage", storage, prefix, clock));
                for (int i = 1; i <= WORKERS; i++) {
                    run.start("worker-" + i, child("demo-worker", storage, prefix, clock));
                }
                List<String> producer = child("demo-producer", storage, prefix, clock);
                producer.addAll(List.of("--backlog", "" + backlog));
                producer.addAll(file == null ? List.of("--lines", "" + expected) : List.of("--file", "" + file));
                DemoSummary summary = run.watch(run.start("producer", producer));
                display.clear();
                print(summary);
                return summary.isClean() && !signals.raised() ? Exit.DONE : Exit.ERROR;
            } finally {
                display.clear();
                queues.purge();
            }
        }
    }

    private List<String> child(String command, String storage, String prefix, SharedClock clock) {
        return new ArrayList<>(List.of(command, storage, "--prefix", prefix, "--origin", clock.origin()));
    }

    private void print(DemoSummary summary) throws IOException {
        if (json) {
            JsonLines line = new JsonLines(common.io().out());
            line.line(summary::fields);
            line.flush();
        } else {
            common.io().print(String.join("\n", summary.table()));
        }
    }
}
