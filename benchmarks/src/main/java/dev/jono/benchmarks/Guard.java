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
 * Checks that Jono has not become slower: measures rows of {@link SpeedTable} that are a ratio, and compares them with
 * the ratios in a baseline file. A row passes if its ratio is at least 0.8 of the baseline in one of three tries.
 * {@code --write true} measures a new baseline, {@code --only a,b} selects rows whose ids begin so.
 */
public final class Guard {
    private static final int TRIES = 3;
    private static final double TOLERATED = 0.8;
    private static final int ROUNDS = 3;
    private static final double SCALE = 0.4;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path file;
    private final List<String> only;
    private final Map<String, Double> baseline = new LinkedHashMap<>();
    private final Map<String, Callable<Row>> rows = SpeedTable.rows(ROUNDS, SCALE);

    private Guard(Path file, List<String> only) throws IOException {
        this.file = file;
        this.only = only;
        for (Map.Entry<String, JsonNode> entry :
                JSON.readTree(file.toFile()).required("ratios").properties()) {
            baseline.put(entry.getKey(), entry.getValue().asDouble());
        }
    }

    /** Runs the rows of the baseline. The exit code is 1 if one has become slower. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = SpeedTable.options(arguments, Set.of("--only", "--baseline", "--write"));
        Path file = Path.of(options.getOrDefault("--baseline", "benchmarks/baseline.json"));
        Guard guard = new Guard(file, SpeedTable.names(options.getOrDefault("--only", "")));
        if (guard.baseline.keySet().stream().noneMatch(guard::selected)) {
            SpeedTable.refuse("no row of " + file + " begins with one of " + guard.only + "; the rows are "
                    + guard.baseline.keySet());
        }
        if (options.containsKey("--write")) {
            guard.writeBaseline();
            System.exit(0);
        }
        List<String> slower = guard.check();
        slower.forEach(line -> System.out.println("SLOWER  " + line));
        System.exit(slower.isEmpty() ? 0 : 1);
    }

    private boolean selected(String id) {
        return only.isEmpty() || only.stream().anyMatch(id::startsWith);
    }

    private Callable<Row> row(String id) {
        return Objects.requireNonNull(rows.get(id), () -> file + " names an unknown row: " + id);
    }

    /** Measures the selected rows; returns a line for each that has become slower. */
    private List<String> check() throws Exception {
        List<String> slower = new ArrayList<>();
        for (Map.Entry<String, Double> entry : baseline.entrySet()) {
            String id = entry.getKey();
            if (!selected(id)) {
                continue;
            }
            double enough = TOLERATED * entry.getValue();
            double best = best(id, row(id), enough);
            if (best < enough) {
                slower.add(String.format("%s: %.2f, baseline %.2f", id, best, entry.getValue()));
            }
        }
        return slower;
    }

    /** Returns the best ratio; stops when it is enough. */
    private static double best(String id, Callable<Row> row, double enough) throws Exception {
        double best = 0;
        for (int attempt = 1; attempt <= TRIES && (attempt == 1 || best < enough); attempt++) {
            double ratio = row.call().ratio();
            best = Math.max(best, ratio);
            System.out.printf("%-28s %.2f (enough: %.2f)%n", id, ratio, enough);
        }
        return best;
    }

    /** Measures the selected rows for a new baseline; the others keep their ratios. */
    private void writeBaseline() throws Exception {
        Map<String, Double> measured = new LinkedHashMap<>();
        for (Map.Entry<String, Double> entry : baseline.entrySet()) {
            String id = entry.getKey();
            measured.put(id, selected(id) ? median(id, row(id)) : entry.getValue());
        }
        write(measured);
    }

    /**
     * Returns the median, because a lucky try as baseline would fail later checks, and an unlucky one would pass all of
     * them.
     */
    private static double median(String id, Callable<Row> row) throws Exception {
        double[] ratios = new double[TRIES];
        for (int attempt = 0; attempt < TRIES; attempt++) {
            ratios[attempt] = row.call().ratio();
            System.out.printf("%-28s %.2f%n", id, ratios[attempt]);
        }
        Arrays.sort(ratios);
        return ratios[TRIES / 2];
    }

    private void write(Map<String, Double> measured) throws IOException {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("java", System.getProperty("java.version"));
        content.put("cpu", SpeedTable.cpu());
        content.put("cores", Runtime.getRuntime().availableProcessors());
        content.put("rounds", ROUNDS);
        content.put("scale", SCALE);
        Map<String, Double> ratios = new LinkedHashMap<>();
        measured.forEach((id, ratio) -> ratios.put(id, Math.round(100 * ratio) / 100.0));
        content.put("ratios", ratios);
        JSON.writeValue(file.toFile(), content);
        System.out.println("written to " + file);
    }
}
