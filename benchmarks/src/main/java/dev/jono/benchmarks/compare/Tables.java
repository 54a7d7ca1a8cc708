package dev.jono.benchmarks.compare;

import com.google.errorprone.annotations.FormatMethod;
import dev.jono.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the cells of a run as Markdown tables: medians with the lowest and the highest round, and Jono's rate divided
 * by each other rate.
 */
final class Tables {
    private static final List<String> STEPS = List.of("push", "reserve-ack", "pop");

    private final List<Cell> cells;
    private final StringBuilder out = new StringBuilder();

    private Tables(List<Cell> cells) {
        this.cells = cells;
    }

    /** Returns the whole report. */
    static String markdown(Map<String, Object> about, List<Cell> cells, Map<Contestant, String> absent) {
        Tables tables = new Tables(cells);
        tables.head(about);
        tables.targets();
        Set<String> works = new LinkedHashSet<>();
        cells.forEach(cell -> works.add(cell.work.replaceFirst(" .*", "")));
        for (String work : works) {
            if (work.startsWith("flow")) {
                tables.flow(work);
            } else if (work.equals("jobs")) {
                tables.jobs(work);
            } else if (work.equals("bytes")) {
                tables.bytes();
            } else if (!work.startsWith("paced")) {
                tables.steps(work);
            }
        }
        tables.delays(works.stream().filter(work -> work.startsWith("paced")).toList());
        tables.troubles(absent);
        tables.fewer(about.get("rounds") instanceof Number rounds ? rounds.intValue() : 0);
        tables.bestModes();
        return tables.out.toString();
    }

    /**
     * Returns the tables of queues for the page of the documentation.
     *
     * @param report the path of the whole report in the source tree; not a link, because the site does not contain it
     */
    static String excerpt(Map<String, Object> about, List<Cell> cells, String report) {
        Tables tables = excerptOf(about, cells, report);
        tables.flow("flow-1");
        tables.delays(cells.stream()
                .map(cell -> cell.work)
                .filter(work -> work.startsWith("paced"))
                .distinct()
                .toList());
        return tables.out.toString();
    }

    /** Returns the table of jobs for the page of the documentation. */
    static String jobsExcerpt(Map<String, Object> about, List<Cell> cells, String report) {
        Tables tables = excerptOf(about, cells, report);
        tables.jobs("jobs");
        return tables.out.toString();
    }

    private static Tables excerptOf(Map<String, Object> about, List<Cell> cells, String report) {
        Tables tables = new Tables(cells);
        tables.about(about);
        tables.line("Settings, raw rounds and trouble (⚠): `%s`.", report);
        tables.line("");
        return tables;
    }

    @FormatMethod
    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void row(List<String> fields) {
        line("| %s |", String.join(" | ", fields));
    }

    private void header(List<String> fields) {
        row(fields);
        out.append("|---".repeat(fields.size())).append("|\n");
    }

    private void head(Map<String, Object> about) {
        line("# Jono compared with others, %s", date(about));
        line("");
        about(about);
        line(
                "Clients and servers share the machine. Each message was counted: lost and repeated ones are listed under *Trouble*.");
        line("The JSON file next to this one holds raw rounds, versions and settings.");
        line("");
        line("Kind of run: %s, %s minutes.", String.valueOf(about.get("kind")), String.valueOf(about.get("minutes")));
        line("Warmed up: %s.", String.valueOf(about.get("warmUp")));
        line("");
    }

    private static String date(Map<String, Object> about) {
        return String.valueOf(about.get("at")).substring(0, 10);
    }

    private void about(Map<String, Object> about) {
        line(
                "%s, %s cores, %s MiB, %s, %s, %s.",
                String.valueOf(about.get("cpu")),
                String.valueOf(about.get("cores")),
                String.valueOf(about.get("memoryMiB")),
                String.valueOf(about.get("os")),
                String.valueOf(about.get("java")),
                date(about));
        line(
                "%s bytes a message, %s interleaved rounds: medians, with the lowest and the highest round.",
                String.valueOf(about.get("bytesPerMessage")), String.valueOf(about.get("rounds")));
        line(
                "*Ours ÷ theirs* is the median of the rounds' ratios to Jono's backend of equal durability, on the same storage if there"
                        + " is one.");
    }

    private void targets() {
        List<Targets.Target> all = Targets.of(cells);
        if (all.isEmpty()) {
            return;
        }
        header(List.of("ratio or delay", "target", "measured", ""));
        for (Targets.Target target : all) {
            row(List.of(
                    target.what(), target.condition(), ratio(target.measured()), target.met() ? "met" : "**not met**"));
        }
        line("");
    }

    private List<Contestant> in(String work) {
        return Contestants.all().stream()
                .filter(contestant -> cells.stream()
                        .anyMatch(cell -> cell.contestant.id().equals(contestant.id())
                                && (cell.work.equals(work) || cell.work.startsWith(work + " "))))
                .toList();
    }

    private Optional<Cell> find(String contestant, String work) {
        return cells.stream()
                .filter(cell -> cell.contestant.id().equals(contestant) && cell.work.equals(work))
                .findFirst();
    }

    /** Returns the first columns of a row. */
    private static List<String> columns(Contestant contestant) {
        return List.of(
                contestant.ours() ? "**" + contestant.name() + "**" : contestant.name(),
                contestant.storage().text(),
                contestant.survivesKill(),
                contestant.survivesPowerLoss());
    }

    private static final List<String> CONTESTANT_COLUMNS =
            List.of("", "storage", "survives `kill -9`", "survives power loss");

    private String rate(Contestant contestant, String work) {
        Optional<Cell> cell = find(contestant.id(), work);
        if (cell.isEmpty()) {
            return "–";
        }
        String mark = cell.get().trouble().isEmpty() ? "" : " ⚠";
        return cell.get().spread("perSecond").map(Tables::spread).orElse("none") + mark;
    }

    static String spread(Spread spread) {
        return String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", spread.median(), spread.min(), spread.max());
    }

    private String ratio(Contestant contestant, String work) {
        return ratios(contestant, work)
                .map(spread -> String.format(Locale.ROOT, "%.2f", spread.median()))
                .orElse("–");
    }

    private Optional<Spread> ratios(Contestant contestant, String work) {
        return find(contestant.counterpart(), work)
                .flatMap(ours -> find(contestant.id(), work).flatMap(ours::ratio));
    }

    /** Returns a ratio with its range; one figure has no range. */
    private static String ratio(Spread spread) {
        return spread.rounds().size() == 1
                ? String.format(Locale.ROOT, "%.2f", spread.median())
                : String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", spread.median(), spread.min(), spread.max());
    }

    private void steps(String work) {
        line("## %s", title(work));
        line("");
        List<String> head = new ArrayList<>(CONTESTANT_COLUMNS);
        head.addAll(List.of("push/s", "reserve+ack/s", "pop/s", "ours ÷ theirs: push, reserve+ack, pop"));
        header(head);
        for (Contestant contestant : in(work)) {
            List<String> fields = new ArrayList<>(columns(contestant));
            STEPS.forEach(step -> fields.add(rate(contestant, work + " " + step)));
            fields.add(
                    contestant.counterpart().isEmpty()
                            ? ""
                            : String.join(
                                    ", ",
                                    STEPS.stream()
                                            .map(step -> ratio(contestant, work + " " + step))
                                            .toList()));
            row(fields);
        }
        line("");
    }

    private static String title(String work) {
        if (work.equals("best")) {
            return "Each at its best, one process";
        }
        if (work.equals("one")) {
            return "One message at a time, one process";
        }
        if (work.equals("jobs")) {
            return "Jobs of 200 bytes: one process enqueues them, and then runs them, 64 at a time";
        }
        return work.replaceFirst("flight-(.*)", "$1 calls in flight, one process")
                .replaceFirst("size-(.*)", "Messages of $1 bytes, each at its best")
                .replaceFirst("queues-(.*)", "$1 queues in one process, 64 calls in flight, a consumer of each queue")
                .replaceFirst("backlog-(.*)", "With a backlog of $1")
                .replaceFirst("flow-1$", "Steady flow: one process pushes, one takes")
                .replaceFirst("flow-(.*)", "Steady flow: one process pushes, $1 take");
    }

    private void flow(String work) {
        line("## %s", title(work));
        line("");
        List<String> head = new ArrayList<>(CONTESTANT_COLUMNS);
        head.addAll(List.of("messages/s", "ours ÷ theirs", "CPU s per million: clients", "server"));
        header(head);
        for (Contestant contestant : in(work)) {
            List<String> fields = new ArrayList<>(columns(contestant));
            fields.add(rate(contestant, work));
            fields.add(contestant.counterpart().isEmpty() ? "" : ratio(contestant, work));
            fields.add(figure(contestant, work, "clientCpuSecondsPerMillion"));
            fields.add(figure(contestant, work, "serverCpuSecondsPerMillion"));
            row(fields);
        }
        line("");
    }

    private void jobs(String work) {
        line("## %s", title(work));
        line("");
        List<String> head = new ArrayList<>(CONTESTANT_COLUMNS);
        head.addAll(List.of(
                "enqueued/s", "run/s", "both/s", "ours ÷ theirs: both", "CPU s per million: clients", "server"));
        header(head);
        for (Contestant contestant : in(work)) {
            List<String> fields = new ArrayList<>(columns(contestant));
            fields.add(rate(contestant, work + " enqueue"));
            fields.add(rate(contestant, work + " run"));
            fields.add(rate(contestant, work));
            fields.add(
                    contestant.counterpart().isEmpty()
                            ? ""
                            : ratios(contestant, work).map(Tables::ratio).orElse("–"));
            fields.add(figure(contestant, work, "clientCpuSecondsPerMillion"));
            fields.add(figure(contestant, work, "serverCpuSecondsPerMillion"));
            row(fields);
        }
        line("");
    }

    private String figure(Contestant contestant, String work, String name) {
        return find(contestant.id(), work)
                .flatMap(cell -> cell.spread(name))
                .map(spread -> String.format(Locale.ROOT, "%,.0f", spread.median()))
                .orElse("–");
    }

    private void delays(List<String> works) {
        if (works.isEmpty()) {
            return;
        }
        line("## Delay from push to arrival in another process, ms: p50 / p99 / p99.9");
        line("");
        List<String> head = new ArrayList<>(CONTESTANT_COLUMNS);
        works.forEach(work -> head.add(
                work.endsWith("%")
                        ? "at " + work.substring("paced-".length()) + " of its flow"
                        : "at " + work.substring("paced-".length()) + "/s"));
        header(head);
        for (Contestant contestant : Contestants.all()) {
            if (works.stream().noneMatch(work -> find(contestant.id(), work).isPresent())) {
                continue;
            }
            List<String> fields = new ArrayList<>(columns(contestant));
            works.forEach(work -> fields.add(delay(contestant, work)));
            row(fields);
        }
        line("");
    }

    private String delay(Contestant contestant, String work) {
        Optional<Cell> cell = find(contestant.id(), work);
        if (cell.isEmpty()) {
            return "–";
        }
        String mark = cell.get().trouble().isEmpty() ? "" : " ⚠";
        if (cell.get().delayMillis(50).isEmpty()) {
            return "none" + mark;
        }
        return String.format(
                        Locale.ROOT,
                        "%,.2f / %,.2f / %,.2f",
                        cell.get().delayMillis(50).orElseThrow(),
                        cell.get().delayMillis(99).orElseThrow(),
                        cell.get().delayMillis(99.9).orElseThrow())
                + mark;
    }

    private void bytes() {
        line("## Bytes a message");
        line("");
        header(List.of("", "storage", "stored", "allocated by a push (JFR)", "by a reserve+ack or pop"));
        for (Contestant contestant : in("bytes")) {
            row(List.of(
                    contestant.name(),
                    contestant.storage().text(),
                    figure(contestant, "bytes", "storedBytesPerMessage"),
                    contestant.ours() ? figure(contestant, "bytes", "allocatedByPush") : "",
                    contestant.ours() ? figure(contestant, "bytes", "allocatedByTake") : ""));
        }
        line("");
    }

    private void troubles(Map<Contestant, String> absent) {
        List<Cell> bad =
                cells.stream().filter(cell -> !cell.trouble().isEmpty()).toList();
        if (bad.isEmpty() && absent.isEmpty()) {
            return;
        }
        line("## Trouble");
        line("");
        bad.forEach(cell -> line(
                "- %s, %s: %s%s",
                cell.contestant.id(), cell.work, cell.trouble(), cell.rounds() == 0 ? "" : rounds(cell)));
        absent.forEach((contestant, why) -> line("- %s: not run: %s", contestant.id(), why));
        line("");
    }

    private static String rounds(Cell cell) {
        return String.format(Locale.ROOT, " (%d rounds)", cell.rounds());
    }

    /** Lists the cells with fewer rounds, because the time of the contestant was over. */
    private void fewer(int rounds) {
        List<Cell> some = cells.stream()
                .filter(cell -> cell.trouble().isEmpty() && cell.rounds() < rounds && !cell.work.equals("bytes"))
                .toList();
        if (some.isEmpty()) {
            return;
        }
        line("## Fewer rounds, because each takes longer");
        line("");
        some.forEach(cell -> line("- %s, %s:%s", cell.contestant.id(), cell.work, rounds(cell)));
        line("");
    }

    private void bestModes() {
        line("## At its best");
        line("");
        for (Contestant contestant : Contestants.all()) {
            if (cells.stream().anyMatch(cell -> cell.contestant.id().equals(contestant.id()))) {
                line("- %s on %s: %s", contestant.name(), contestant.storage().text(), contestant.best());
            }
        }
    }
}
