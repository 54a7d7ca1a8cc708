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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares Jono with other queue libraries. {@code benchmarks/compare} starts it, and explains the options with {@code
 * --help}. Writes all rounds as JSON, tables as Markdown, and charts as SVG.
 */
public final class Compare {
    private static final Set<String> OPTIONS = Set.of(
            "--quick",
            "--full",
            "--list",
            "--only",
            "--work",
            "--size",
            "--publish",
            "--minutes",
            "--rounds",
            "--seconds",
            "--out",
            "--machine",
            "--peers",
            "--installed");

    private final Map<String, String> options;
    private final Plan.Kind kind;
    private final List<String> only;
    private final List<String> works;
    private final int bytes;
    private final int rounds;
    private final Instant begun = Instant.ofEpochMilli(JonoClock.system().wallMillis());

    private Compare(Map<String, String> options) {
        this.options = options;
        this.kind = options.containsKey("--quick")
                ? Plan.Kind.QUICK
                : options.containsKey("--full") ? Plan.Kind.FULL : Plan.Kind.USUAL;
        this.only = SpeedTable.names(options.getOrDefault("--only", ""));
        this.works = SpeedTable.names(options.getOrDefault("--work", ""));
        this.bytes = Integer.parseInt(options.getOrDefault("--size", "100"));
        this.rounds = Integer.parseInt(options.getOrDefault("--rounds", Integer.toString(kind.rounds())));
    }

    /** Runs the comparison. The result lists cells with trouble; they do not fail the run. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = SpeedTable.options(arguments, OPTIONS);
        if (options.containsKey("--list")) {
            Contestants.all()
                    .forEach(contestant -> System.out.printf(
                            "%-24s %s%n", contestant.id(), contestant.storage().text()));
            return;
        }
        new Compare(options).run();
    }

    private static boolean chosen(String name, List<String> beginnings) {
        return beginnings.isEmpty() || beginnings.stream().anyMatch(name::startsWith);
    }

    private void run() throws Exception {
        Path folder = Path.of(options.getOrDefault("--out", "benchmarks/results"));
        Files.createDirectories(folder);
        double minutes = Double.parseDouble(options.getOrDefault("--minutes", Double.toString(kind.minutes())));
        long end = (long) Math.min(Long.MAX_VALUE / 2.0, JonoClock.system().nanos() + minutes * 60e9);
        List<Work> all = switch (kind) {
            case QUICK -> part().isEmpty() ? Work.quick(bytes) : Work.quickForAny(bytes);
            case USUAL -> Work.usual(bytes);
            case FULL -> Work.full(bytes);
        };
        // --work may name works that otherwise only a full run has.
        List<Work> chosen = Work.chosen(works.isEmpty() ? all : Work.full(bytes), works);
        List<Contestant> contestants = Contestants.all().stream()
                .filter(each -> chosen(each.id(), only))
                .filter(each -> kind != Plan.Kind.QUICK || !part().isEmpty() || Contestants.quick(each))
                .filter(each -> chosen.stream().anyMatch(work -> work.supports(each)))
                .toList();
        if (chosen.isEmpty() || contestants.isEmpty()) {
            SpeedTable.refuse("nothing matches " + part() + "; --list shows the contestants");
        }
        SessionStarter starter = new SessionStarter(
                Path.of(options.getOrDefault("--peers", "benchmarks/peers")),
                Path.of(options.getOrDefault("--installed", ".")));
        try (Servers servers = new Servers(Files.createTempDirectory(Path.of("benchmarks/target"), "compare-"))) {
            List<Session> sessions = starter.start(contestants, servers);
            try {
                Plan plan = new Plan(
                        kind,
                        rounds,
                        chosen,
                        sessions.stream().map(session -> session.contestant).toList(),
                        end,
                        Double.parseDouble(options.getOrDefault("--seconds", "0")));
                System.err.println(plan.text());
                Runner runner = new Runner(sessions, plan, servers, Duration.ofSeconds(kind.limitSeconds()));
                Report report = new Report(folder.resolve(name()), () -> about(plan), servers, starter.absent());
                for (Work work : chosen) {
                    System.err.printf("%s, %.2f s per step%n", work.id(), plan.stepSeconds(work));
                    runner.run(work);
                    report.write(runner.cells()); // after each work, because a long run may be interrupted
                }
                report.charts(runner.cells());
                if (options.containsKey("--publish")) {
                    report.publish(Path.of(Objects.requireNonNull(options.get("--publish"))), runner.cells());
                }
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

    /** Returns the file name of the result, without an ending. */
    private String name() throws IOException {
        String date = DateTimeFormatter.ofPattern("uuuu-MM-dd")
                .withZone(ZoneOffset.UTC)
                .format(begun);
        String machine = options.get("--machine");
        if (machine == null) {
            String cpu = SpeedTable.cpu().replaceAll("[^A-Za-z0-9]+", "-").toLowerCase(java.util.Locale.ROOT);
            machine = cpu + "-" + Runtime.getRuntime().availableProcessors() + "-cores";
        }
        String part = part().isEmpty()
                ? ""
                : "-" + part().replaceAll("[^A-Za-z0-9]+", "-").replaceAll("-$", "");
        return date + "-" + machine + (kind == Plan.Kind.USUAL ? "" : "-" + kind.id()) + part;
    }

    /** Returns the values of {@code --only} and {@code --work}; empty without them. */
    private String part() {
        return Stream.of("--only", "--work")
                .map(options::get)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
    }

    private Map<String, Object> about(Plan plan) throws IOException {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("at", begun.toString());
        about.put("minutes", Math.round((JonoClock.system().wallMillis() - begun.toEpochMilli()) / 60_000.0));
        about.put("cpu", SpeedTable.cpu());
        about.put("cores", Runtime.getRuntime().availableProcessors());
        about.put("memoryMiB", Versions.memoryMiB());
        about.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        about.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        about.put("versions", Versions.all(Path.of(options.getOrDefault("--installed", "."))));
        about.put("bytesPerMessage", plan.bytes());
        about.put("rounds", rounds);
        about.put("kind", kind.text() + (part().isEmpty() ? "" : ", of which only " + part()));
        about.put("warmUp", plan.warming());
        return about;
    }

    static ObjectMapper json() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}
