package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.jono.JonoClock;
import dev.jono.benchmarks.SpeedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares Jono with what a user would pick instead, as {@code benchmarks/compare} tells ({@code --help}). Writes the raw rounds
 * as JSON, a table in Markdown, and charts.
 */
public final class Compare {
    private final Map<String, String> options;
    private final boolean quick;
    private final boolean full;
    private final List<String> only;
    private final List<String> works;
    private final int bytes;
    private final int rounds;
    private final Instant begun = Instant.ofEpochMilli(JonoClock.system().wallMillis());

    private Compare(Map<String, String> options) {
        this.options = options;
        this.quick = options.containsKey("--quick");
        this.full = options.containsKey("--full");
        this.only = SpeedTable.names(options.getOrDefault("--only", ""));
        this.works = SpeedTable.names(options.getOrDefault("--work", ""));
        this.bytes = Integer.parseInt(options.getOrDefault("--size", "100"));
        this.rounds = Integer.parseInt(options.getOrDefault("--rounds", quick ? "2" : "5"));
    }

    /** {@code --name value …}. A cell with trouble stands in the result, and fails nothing. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = SpeedTable.options(arguments);
        if (options.containsKey("--list")) {
            Contestants.all()
                    .forEach(who -> System.out.printf(
                            "%-24s %s%n", who.id(), who.storage().text()));
            return;
        }
        new Compare(options).run();
    }

    private static boolean chosen(String name, List<String> beginnings) {
        return beginnings.isEmpty() || beginnings.stream().anyMatch(name::startsWith);
    }

    private void run() throws Exception {
        Path folder = Path.of(options.getOrDefault("--out", "benchmarks/results"));
        Path peers = Path.of(options.getOrDefault("--peers", "benchmarks/peers"));
        Path installed = Path.of(options.getOrDefault("--installed", "."));
        Files.createDirectories(folder);
        List<Session> sessions = new ArrayList<>();
        Map<Contestant, String> absent = new LinkedHashMap<>();
        try (Servers servers = new Servers(Files.createTempDirectory(Path.of("benchmarks/target"), "compare-"))) {
            try {
                for (Contestant who : Contestants.all()) {
                    if (chosen(who.id(), only)) {
                        open(who, servers, peers, installed, sessions, absent);
                    }
                }
                double seconds = Double.parseDouble(options.getOrDefault("--seconds", quick ? "0.3" : "0.7"));
                double warmUp = Double.parseDouble(options.getOrDefault("--warm-up", quick ? "0.5" : "1.5"));
                Runner runner =
                        new Runner(sessions, rounds, seconds, warmUp, Duration.ofSeconds(quick ? 15 : 30), quick);
                Report report = new Report(folder.resolve(name()), this::about, servers, absent);
                List<Work> all = full ? Work.full(bytes) : quick ? Work.quick(bytes) : Work.usual(bytes);
                for (Work work : all) {
                    if (chosen(work.id(), works)) {
                        System.err.println(work.id());
                        runner.run(work);
                        report.write(runner.cells()); // after each: a run takes its time, and may be cut off
                    }
                }
                report.charts(
                        runner.cells(),
                        Optional.ofNullable(options.get("--publish")).map(Path::of));
                System.out.println(Files.readString(report.markdown()));
                System.out.println("written to " + report.markdown());
            } finally {
                for (Session session : sessions) {
                    session.close();
                }
            }
        }
        System.exit(0);
    }

    /** Whose server is not to be had, or whose process does not start, is not run, and the tables say why. */
    private static void open(
            Contestant who,
            Servers servers,
            Path peers,
            Path installed,
            List<Session> sessions,
            Map<Contestant, String> absent)
            throws InterruptedException {
        try {
            Session session = new Session(who, servers.of(who.storage()), peers, installed);
            session.peers(1);
            sessions.add(session);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("it does not start");
            System.err.println("not run: " + who.id() + ": " + why);
            absent.put(who, why);
        }
    }

    private String name() throws IOException {
        String date = DateTimeFormatter.ofPattern("uuuu-MM-dd")
                .withZone(ZoneOffset.UTC)
                .format(begun);
        String machine = options.get("--machine");
        if (machine == null) {
            String cpu = SpeedTable.cpu().replaceAll("[^A-Za-z0-9]+", "-").toLowerCase(java.util.Locale.ROOT);
            machine = cpu + "-" + Runtime.getRuntime().availableProcessors() + "-cores";
        }
        return date + "-" + machine;
    }

    private Map<String, Object> about() throws IOException {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("at", begun.toString());
        about.put("minutes", Math.round((JonoClock.system().wallMillis() - begun.toEpochMilli()) / 60_000.0));
        about.put("cpu", SpeedTable.cpu());
        about.put("cores", Runtime.getRuntime().availableProcessors());
        about.put("memoryMiB", Versions.memoryMiB());
        about.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        about.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        about.put("versions", Versions.all(Path.of(options.getOrDefault("--installed", "."))));
        about.put("bytesPerMessage", bytes);
        about.put("rounds", rounds);
        about.put("kind", quick ? "quick: few and short rounds" : full ? "full" : "usual");
        return about;
    }

    static ObjectMapper json() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}
