package dev.jono.benchmarks;

import java.util.List;

/** The lowest, the median and the highest figure of some rounds, and all figures in the order of the rounds. */
public record Spread(double min, double median, double max, List<Double> rounds) {
    /** Returns the spread of these figures; there must be at least one. */
    public static Spread of(List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(sorted.get(0), median, sorted.get(sorted.size() - 1), List.copyOf(figures));
    }
}
