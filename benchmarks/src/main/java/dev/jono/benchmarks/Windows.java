package dev.jono.benchmarks;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rates of one work over a long time, cut into windows of equal length.
 *
 * @param rates operations per second, one per window, in their order
 */
record Windows(List<Double> rates) {
    /** Repeats the work until the time is over. */
    static Windows run(Duration length, int windows, Interleaved.Round work) throws Exception {
        JonoClock clock = JonoClock.system();
        List<Double> rates = new ArrayList<>();
        for (int window = 0; window < windows; window++) {
            long start = clock.nanos();
            long end = start + length.dividedBy(windows).toNanos();
            long done = 0;
            while (clock.nanos() < end) {
                done += work.run();
            }
            rates.add(done * 1e9 / (clock.nanos() - start));
        }
        return new Windows(rates);
    }

    /** A row that compares the last window with the first. */
    Row row(String id, String what, double atLeast) {
        double first = rates.get(0);
        double last = rates.get(rates.size() - 1);
        Spread spread = Spread.of(rates);
        return new Row(
                id,
                what,
                "ratio at least " + atLeast,
                last / first >= atLeast,
                String.format(
                        "ratio %.2f: %,.0f/s compared with %,.0f/s; all windows %,.0f/s to %,.0f/s",
                        last / first, last, first, spread.min(), spread.max()),
                Map.of("rates", rates));
    }
}
