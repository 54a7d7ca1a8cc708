package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** One contestant at one work: its rounds, or what went wrong. */
final class Cell {
    final Contestant who;
    final String work;
    private final List<RoundResult> rounds = new ArrayList<>();
    private String trouble = "";

    Cell(Contestant who, String work) {
        this.who = who;
        this.work = work;
    }

    void add(RoundResult outcome) {
        rounds.add(outcome);
    }

    /** That it hung, lost messages, was not run. The first trouble stays. */
    void trouble(String what) {
        if (trouble.isEmpty()) {
            trouble = what;
        }
    }

    /** How many rounds counted. */
    int rounds() {
        return rounds.size();
    }

    /** Empty if all went well. */
    String trouble() {
        return trouble;
    }

    /** A figure over the rounds, if there are any. */
    Optional<Spread> spread(String figure) {
        List<Double> all = rounds.stream()
                .map(round -> round.figures().get(figure))
                .filter(Number.class::isInstance)
                .map(value -> ((Number) value).doubleValue())
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(Spread.of(all));
    }

    /** A percentile of the delays of all rounds together, in milliseconds. */
    Optional<Double> delayMillis(double percent) {
        int[] all = rounds.stream()
                .flatMapToInt(round -> IntStream.of(round.micros()))
                .sorted()
                .toArray();
        return all.length == 0 ? Optional.empty() : Optional.of(RoundResult.percentile(all, percent) / 1000.0);
    }

    /** For the result. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("contestant", who.id());
        json.put("work", work);
        json.put("status", trouble.isEmpty() ? "ok" : trouble);
        spread("perSecond").ifPresent(rates -> json.put("perSecondMedian", rates.median()));
        delayMillis(50).ifPresent(p -> {
            json.put("p50Millis", p);
            json.put("p99Millis", delayMillis(99).orElseThrow());
            json.put("p999Millis", delayMillis(99.9).orElseThrow());
        });
        json.put("rounds", rounds.stream().map(RoundResult::figures).toList());
        return json;
    }
}
