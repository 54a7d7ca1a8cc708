package dev.jono.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Tells whether Jono has become slower: a few of the ratios of {@link SpeedTable} to the bare storage, against those of the
 * baseline. A ratio that lies more than a fifth below is measured again, for machines are noisy; the third time it fails.
 * {@code --write true} measures the baseline anew, {@code --only a,b} looks at some rows.
 */
public final class Guard {
    private static final int TRIES = 3;
    private static final double TOLERATED = 0.8;
    private static final int ROUNDS = 3;
    private static final double SCALE = 0.4;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Guard() {}

    /** Runs the rows of the baseline; the exit code is 1 if one fails. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = SpeedTable.options(arguments, Set.of("--only", "--baseline", "--write"));
        Path file = Path.of(options.getOrDefault("--baseline", "benchmarks/baseline.json"));
        List<String> only = SpeedTable.names(options.getOrDefault("--only", ""));
        JsonNode baseline = JSON.readTree(file.toFile());
        List<String> ids = baseline.required("ratios").properties().stream()
                .map(Map.Entry::getKey)
                .toList();
        if (!only.isEmpty() && only.stream().noneMatch(wanted -> ids.stream().anyMatch(id -> id.startsWith(wanted)))) {
            SpeedTable.refuse("no row of " + file + " begins with " + only + "; there are " + ids);
        }
        Map<String, Callable<Row>> rows = SpeedTable.rows(ROUNDS, SCALE);
        Map<String, Double> measured = new LinkedHashMap<>();
        List<String> fallen = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : baseline.required("ratios").properties()) {
            String id = entry.getKey();
            if (!only.isEmpty() && only.stream().noneMatch(id::startsWith)) {
                measured.put(id, entry.getValue().asDouble());
                continue;
            }
            Callable<Row> row = Objects.requireNonNull(rows.get(id), () -> file + " names a row that is none: " + id);
            if (options.containsKey("--write")) {
                measured.put(id, median(id, row));
                continue;
            }
            double best = best(id, row, TOLERATED * entry.getValue().asDouble());
            if (best < TOLERATED * entry.getValue().asDouble()) {
                fallen.add(String.format(
                        "%s: %.2f, baseline %.2f", id, best, entry.getValue().asDouble()));
            }
        }
        if (options.containsKey("--write")) {
            write(file, measured);
        }
        fallen.forEach(line -> System.out.println("FALLEN  " + line));
        System.exit(fallen.isEmpty() ? 0 : 1);
    }

    private static double best(String id, Callable<Row> row, double enough) throws Exception {
        double best = 0;
        for (int attempt = 1; attempt <= TRIES && (attempt == 1 || best < enough); attempt++) {
            double ratio = row.call().ratio();
            best = Math.max(best, ratio);
            System.out.printf("%-28s %.2f (enough: %.2f)%n", id, ratio, enough);
        }
        return best;
    }

    /** Of as many tries as a check has: a lucky one would let later checks fail, an unlucky one would let all pass. */
    private static double median(String id, Callable<Row> row) throws Exception {
        double[] ratios = new double[TRIES];
        for (int attempt = 0; attempt < TRIES; attempt++) {
            ratios[attempt] = row.call().ratio();
            System.out.printf("%-28s %.2f%n", id, ratios[attempt]);
        }
        Arrays.sort(ratios);
        return ratios[TRIES / 2];
    }

    private static void write(Path file, Map<String, Double> measured) throws IOException {
        Map<String, Object> baseline = new LinkedHashMap<>();
        baseline.put("java", System.getProperty("java.version"));
        baseline.put("cpu", SpeedTable.cpu());
        baseline.put("cores", Runtime.getRuntime().availableProcessors());
        baseline.put("rounds", ROUNDS);
        baseline.put("scale", SCALE);
        Map<String, Double> ratios = new LinkedHashMap<>();
        measured.forEach((id, ratio) -> ratios.put(id, Math.round(100 * ratio) / 100.0));
        baseline.put("ratios", ratios);
        JSON.writeValue(file.toFile(), baseline);
        System.out.println("written to " + file);
    }
}
