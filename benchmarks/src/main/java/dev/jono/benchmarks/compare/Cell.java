package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The results of one contestant for one work: the rounds that count, and the first trouble. */
final class Cell {
    final Contestant contestant;
    final String work;
    private final List<RoundResult> rounds = new ArrayList<>();
    private String trouble = "";

    Cell(Contestant contestant, String work) {
        this.contestant = contestant;
        this.work = work;
    }

    void add(RoundResult result) {
        rounds.add(result);
    }

    /** Notes a trouble, for example lost messages. The first one is kept. */
    void trouble(String what) {
        if (trouble.isEmpty()) {
            trouble = what;
        }
    }

    /** Returns the number of rounds that count. */
    int rounds() {
        return rounds.size();
    }

    /** Returns the first trouble; empty if there was none. */
    String trouble() {
        return trouble;
    }

    /** Returns the spread of a figure over the rounds that have it. */
    Optional<Spread> spread(String figure) {
        List<Double> all = rounds.stream()
                .map(round -> round.figures().get(figure))
                .filter(Number.class::isInstance)
                .map(value -> ((Number) value).doubleValue())
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(Spread.of(all));
    }

    /** Returns the spread of the ratios of this rate to that of another cell in the rounds that both have. */
    Optional<Spread> ratio(Cell theirs) {
        Map<Integer, Double> others = theirs.rates();
        List<Double> ratios = new ArrayList<>();
        rates().forEach((round, rate) -> {
            Double other = others.get(round);
            if (other != null) {
                ratios.add(rate / other);
            }
        });
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
    }

    /** Returns the rate of each round that has one, by the number of the round. */
    private Map<Integer, Double> rates() {
        Map<Integer, Double> rates = new TreeMap<>();
        for (RoundResult round : rounds) {
            if (round.figures().get("round") instanceof Number number
                    && round.figures().get("perSecond") instanceof Number rate) {
                rates.put(number.intValue(), rate.doubleValue());
            }
        }
        return rates;
    }

    /** Returns a percentile of the delays of all rounds together, in milliseconds. */
    Optional<Double> delayMillis(double percent) {
        int[] all = rounds.stream()
                .flatMapToInt(round -> IntStream.of(round.micros()))
                .sorted()
                .toArray();
        return all.length == 0 ? Optional.empty() : Optional.of(RoundResult.percentile(all, percent) / 1000.0);
    }

    /** Returns the content for the result file. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("contestant", contestant.id());
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
