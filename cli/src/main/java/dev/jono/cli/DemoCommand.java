package dev.jono.cli;

import dev.jono.ConfigurationException;
import dev.jono.QueueFactory;
import dev.jono.dashboard.Dashboard;
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
            "Run a demo in two acts: several processes move a log through queues, then others run jobs.",
            "Queues: a producer, a stage of a pipeline and three workers run in processes of their own. Some messages"
                    + " are scheduled, some fail and are retried, some always fail and become dead letters.",
            "Jobs: three runners run jobs with priorities, ordering keys, progress, log and results. Some fail and are"
                    + " retried, some always fail.",
            "In each act one process is killed while it holds messages or runs jobs.",
            "At the end the demo accounts for every message and every job. Exit code 1 if a check has failed: for"
                    + " example, if one was lost, done twice, early or out of order."
        })
final class DemoCommand implements Callable<Integer> {
    private static final int LINES = 120_000;
    private static final int JOBS = 20_000;
    private static final int MIN_JOBS = 1_000;

    /** The parts of the demo. */
    enum Act {
        QUEUES,
        JOBS
    }

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

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The number of jobs, at least " + MIN_JOBS + ". Default: " + JOBS + ".")
    private @Nullable Integer jobs;

    @Option(names = "--act", paramLabel = "ACT", description = "Play only this act: queues or jobs.")
    private @Nullable Act act;

    @Option(
            names = "--dashboard",
            arity = "0..1",
            fallbackValue = "8080",
            paramLabel = "PORT",
            description =
                    "Show the queues and jobs in a browser meanwhile, at this port. Default of the port: ${FALLBACK-VALUE}.")
    private @Nullable Integer dashboardPort;

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
        if ((act == Act.JOBS && (file != null || lines != null)) || (act == Act.QUEUES && jobs != null)) {
            throw CliException.usage("--file and --lines are for the act 'queues', --jobs for the act 'jobs'");
        }
        int wanted = lines == null ? LINES : lines;
        if (wanted < 1 || backlog < 1) {
            throw CliException.usage("--lines and --backlog must be at least 1");
        }
        if (jobs != null && jobs < MIN_JOBS) {
            throw CliException.usage("--jobs must be at least " + MIN_JOBS + ": " + jobs);
        }
        if (url != null) {
            StorageCommand.requireShared(url, "demo");
        }
        long expected = file == null ? wanted : count(file);
        Path directory = Files.createTempDirectory("jono-demo");
        try {
            return run(url == null ? "sqlite:" + directory.resolve("queues.db") : url, directory, expected);
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

    private int run(String storage, Path directory, long expected) throws IOException, InterruptedException {
        ChangingLine display = new ChangingLine(common.io());
        display.say("demo on " + ConnectionUrl.parse(storage));
        try (InterruptSignals signals = new InterruptSignals();
                QueueFactory jono = common.connect(storage)) {
            String prefix = "demo-" + UUID.randomUUID() + "-";
            DashboardServer dashboard = dashboard(jono, display);
            try (dashboard) {
                boolean clean =
                        play(new DemoSetting(common, display, storage, url == null, jono, prefix, directory), expected);
                return clean && !signals.raised() ? Exit.DONE : Exit.ERROR;
            }
        }
    }

    /** Plays the acts, and prints what they have found. Returns whether all checks passed. */
    private boolean play(DemoSetting setting, long expected) throws IOException, InterruptedException {
        List<DemoSummary> summaries = new ArrayList<>();
        if (act != Act.JOBS) {
            summaries.add(new DemoQueuesAct(setting, expected).play(file, backlog));
        }
        DemoJobsAct second = act == Act.QUEUES ? null : jobsAct(setting);
        try {
            if (second != null) {
                summaries.add(second.play());
            }
            print(summaries);
        } finally {
            if (second != null) {
                second.removeJobs();
            }
        }
        return summaries.stream().allMatch(DemoSummary::isClean);
    }

    /** The server of the dashboard; null if it was not asked for. */
    private @Nullable DashboardServer dashboard(QueueFactory jono, ChangingLine display) {
        if (dashboardPort == null) {
            return null;
        }
        DashboardServer server = DashboardServer.start(Dashboard.of(jono), "127.0.0.1", dashboardPort, null, null);
        display.say("the dashboard is at " + server.url() + " until the demo ends");
        return server;
    }

    /** The act about jobs; null if the storage has none, and that act is not all that was asked for. */
    private @Nullable DemoJobsAct jobsAct(DemoSetting setting) {
        try {
            return new DemoJobsAct(setting, jobs == null ? JOBS : jobs);
        } catch (ConfigurationException without) {
            if (act == Act.JOBS) {
                throw without;
            }
            setting.display().say("jobs: left out, because " + ErrorLine.of(without));
            return null;
        }
    }

    private void print(List<DemoSummary> summaries) throws IOException {
        if (json) {
            JsonLines line = new JsonLines(common.io().out());
            line.line(fields -> {
                for (DemoSummary summary : summaries) {
                    summary.write(fields);
                }
            });
            line.flush();
        } else {
            for (DemoSummary summary : summaries) {
                common.io().print(summary.act() + ":\n" + String.join("\n", summary.rows()) + "\n");
            }
            List<String> wrong = summaries.stream()
                    .flatMap(summary -> summary.wrong().stream().map(name -> summary.act() + ": " + name))
                    .toList();
            common.io().print(wrong.isEmpty() ? "all checks passed" : "checks failed: " + String.join("; ", wrong));
        }
    }
}
