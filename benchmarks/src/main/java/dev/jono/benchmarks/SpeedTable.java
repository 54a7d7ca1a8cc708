package dev.jono.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.jono.JonoClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Measures Jono row by row. Most rows compare Jono with the bare storage or with keuss, interleaved in one run; others
 * measure a delay, memory or CPU time. Writes a JSON file with all rounds. {@code --only a,b} runs rows whose ids begin
 * so, {@code --rounds N} sets the rounds that count, {@code --scale X} the amount of work, {@code --out FOLDER} the
 * folder of the result ({@code benchmarks/results}).
 */
public final class SpeedTable {
    private SpeedTable() {}

    /** Runs the rows. The exit code is 1 if a row misses its target. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = options(arguments, Set.of("--only", "--rounds", "--scale", "--out"));
        int rounds = Integer.parseInt(options.getOrDefault("--rounds", "5"));
        double scale = Double.parseDouble(options.getOrDefault("--scale", "1"));
        List<String> only = names(options.getOrDefault("--only", ""));
        Path file = file(Path.of(options.getOrDefault("--out", "benchmarks/results")));
        List<Row> rows = new ArrayList<>();
        Map<String, Callable<Row>> all = rows(rounds, scale);
        if (!only.isEmpty()
                && all.keySet().stream().noneMatch(id -> only.stream().anyMatch(id::startsWith))) {
            refuse("no row begins with one of " + only + "; the rows are " + all.keySet());
        }
        for (Map.Entry<String, Callable<Row>> row : all.entrySet()) {
            if (only.isEmpty() || only.stream().anyMatch(row.getKey()::startsWith)) {
                Row result = row.getValue().call();
                System.out.printf(
                        "%-24s %s%n    %s; target: %s%n    %s%n",
                        result.id(),
                        result.met() ? "met" : "NOT MET",
                        result.what(),
                        result.target(),
                        result.measured());
                rows.add(result);
                write(file, rounds, scale, rows); // after each row, because a long run may be interrupted
            }
        }
        System.out.println("written to " + file);
        System.exit(rows.stream().allMatch(Row::met) ? 0 : 1);
    }

    /** Parses {@code --name value …}; ends this process if an option is unknown or has no value. */
    public static Map<String, String> options(String[] arguments, Set<String> known) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!known.contains(arguments[i])) {
                refuse("unknown option " + arguments[i] + "; the options are " + new TreeSet<>(known));
            }
            if (i + 1 == arguments.length) {
                refuse(arguments[i] + " needs a value");
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        return options;
    }

    /** Ends this process with a message about its command line. */
    public static void refuse(String why) {
        System.err.println(why);
        System.exit(64); // EX_USAGE
    }

    /** Splits a list at its commas; empty names are left out. */
    public static List<String> names(String list) {
        return Stream.of(list.split(",", -1)).filter(id -> !id.isEmpty()).toList();
    }

    /** Returns all rows by their ids. */
    static Map<String, Callable<Row>> rows(int rounds, double scale) {
        SqliteRows sqlite = new SqliteRows(rounds, scale);
        MemoryRows memory = new MemoryRows(rounds, scale);
        Map<String, Callable<Row>> rows = new LinkedHashMap<>();
        rows.put("sqlite-push-64", sqlite::push64);
        rows.put("sqlite-reserve-ack-64", sqlite::reserveAck64);
        rows.put("sqlite-push-64-threads", sqlite::push64Threads);
        rows.put("sqlite-reserve-ack-64-threads", sqlite::reserveAck64Threads);
        rows.put("sqlite-push-1000", sqlite::pushLists);
        rows.put("sqlite-reserve-ack-1000", sqlite::reserveAckLists);
        rows.put("sqlite-push-1", sqlite::pushOne);
        rows.put("loop-handed-over", sqlite::loopHandedOver);
        rows.put("memory-lists", memory::lists);
        rows.put("memory-singles", memory::singles);
        rows.put("engine-cost", memory::engineCost);
        rows.put("sqlite-wake-up", () -> SqliteWakeUp.measure(scale));
        rows.put("sqlite-backlog", sqlite::backlog);
        rows.put("idle-memory", () -> IdleQueues.memory(scale));
        rows.put("idle-sqlite", () -> IdleQueues.sqlite(scale));
        new RedisRows(rounds, scale).addTo(rows);
        new PostgresRows(rounds, scale).addTo(rows);
        new KeyedRows(rounds, scale).addTo(rows);
        new JobRows(rounds, scale).addTo(rows);
        new ObservedRows(rounds, scale).addTo(rows);
        new DashboardRows(scale).addTo(rows);
        MongoRows mongo = new MongoRows(rounds, scale);
        mongo.addTo(rows);
        new BucketRows(mongo).addTo(rows);
        return rows;
    }

    private static Path file(Path folder) throws IOException {
        Files.createDirectories(folder);
        String name = DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmmss")
                .withZone(ZoneOffset.UTC)
                .format(now());
        return folder.resolve("speed-" + name + "-jdk" + Runtime.version().feature() + ".json");
    }

    private static Instant now() {
        return Instant.ofEpochMilli(JonoClock.system().wallMillis());
    }

    private static void write(Path file, int rounds, double scale, List<Row> rows) throws IOException {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("at", now().toString());
        result.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        result.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        result.put("cpu", cpu());
        result.put("cores", Runtime.getRuntime().availableProcessors());
        result.put("maxHeapMiB", Runtime.getRuntime().maxMemory() >> 20);
        result.put("payloadBytes", 200);
        result.put(
                "durability",
                "sqlite: WAL, synchronous=FULL, both sides; memory: none; redis: no persistence; mongo: a replica set of"
                        + " one node, w: majority, j: true; postgres: fsync on");
        result.put("rounds", rounds);
        result.put("scale", scale);
        result.put("rows", rows);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), result);
    }

    /** Returns the name of the processor. */
    public static String cpu() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(info)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(info, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 2))
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }
}
