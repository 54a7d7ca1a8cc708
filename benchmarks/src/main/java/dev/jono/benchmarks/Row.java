package dev.jono.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** One demand on speed, and what was measured. */
record Row(String id, String what, String demand, boolean met, String measured, Map<String, Object> raw) {

    static Row ratio(String id, String what, double atLeast, Interleaved.Comparison result) {
        return new Row(
                id,
                what,
                "ratio at least " + atLeast,
                result.ratio().median() >= atLeast,
                String.format(
                        "ratio %.2f (%.2f to %.2f): %,.0f/s against %,.0f/s",
                        result.ratio().median(),
                        result.ratio().min(),
                        result.ratio().max(),
                        result.ours().median(),
                        result.theirs().median()),
                Map.of("ours", result.ours(), "theirs", result.theirs(), "ratio", result.ratio()));
    }

    /** The row with further figures. */
    Row with(String name, Object figures, String text) {
        Map<String, Object> more = new LinkedHashMap<>(raw);
        more.put(name, figures);
        return new Row(id, what, demand, met, measured + "\n    " + name + ": " + text, more);
    }

    /** The median of the ratios of the rounds. */
    double ratio() {
        if (raw.get("ratio") instanceof Spread spread) {
            return spread.median();
        }
        throw new IllegalStateException(id + " measures no ratio");
    }

    static Row limits(String id, String what, String demand, boolean met, String measured, Map<String, Object> raw) {
        return new Row(id, what, demand, met, measured, raw);
    }
}
