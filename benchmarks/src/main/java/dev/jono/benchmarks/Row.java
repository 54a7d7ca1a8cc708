package dev.jono.benchmarks;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of the speed table: what was measured, its target, and the result. The result files contain all components.
 *
 * @param id the name for {@code --only}, in the result files and in the baseline
 * @param what what is measured and compared, as text
 * @param target the condition that the figures should fulfil, as text; {@code demand} in the result files
 * @param met whether they fulfil it
 * @param measured the figures as text
 * @param raw the figures of all rounds
 */
record Row(
        String id,
        String what,
        @JsonProperty("demand") String target,
        boolean met,
        String measured,
        Map<String, Object> raw) {

    /** A row that compares two rates; its target is a median ratio of at least {@code atLeast}. */
    static Row ratio(String id, String what, double atLeast, Interleaved.Comparison result) {
        return new Row(
                id,
                what,
                "ratio at least " + atLeast,
                result.ratio().median() >= atLeast,
                String.format(
                        "ratio %.2f (%.2f to %.2f): %,.0f/s compared with %,.0f/s",
                        result.ratio().median(),
                        result.ratio().min(),
                        result.ratio().max(),
                        result.ours().median(),
                        result.theirs().median()),
                Map.of("ours", result.ours(), "theirs", result.theirs(), "ratio", result.ratio()));
    }

    /** Returns a copy of this row with more figures. */
    Row with(String name, Object figures, String text) {
        Map<String, Object> more = new LinkedHashMap<>(raw);
        more.put(name, figures);
        return new Row(id, what, target, met, measured + "\n    " + name + ": " + text, more);
    }

    /** Returns the median of the rounds' ratios; throws if this row compares no rates. */
    double ratio() {
        if (raw.get("ratio") instanceof Spread spread) {
            return spread.median();
        }
        throw new IllegalStateException(id + " has no ratio");
    }
}
