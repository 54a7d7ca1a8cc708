package dev.jono.benchmarks;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.JonoClock;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleBinaryOperator;

/**
 * Runs two sides in turn (A B A B …) and compares them round by round, so that a disturbance of the machine affects
 * both. In every second round the other side begins. Some rounds before that warm both up and do not count.
 */
final class Interleaved {
    /** Rounds that do not count, because on two cores the compiler takes processor time from both sides. */
    private static final int WARM_UP_ROUNDS = 3;

    private static final int MAX_WARM_UP_ROUNDS = 30;
    /** The compiler counts as idle if it needs less than this fraction of a round: one twentieth. */
    private static final int IDLE_FRACTION = 20;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private static final JonoClock CLOCK = JonoClock.system();

    private Interleaved() {}

    /** What one side does in each round. */
    @FunctionalInterface
    interface Round {
        /** Runs the round, which is timed; returns the number of operations. */
        long run() throws Exception;

        /** Prepares the round; not timed. */
        default void before() throws Exception {}

        /** Checks the result; not timed. */
        default void after() throws Exception {}
    }

    /** Compares operations per second. */
    static Comparison rates(int rounds, Round ours, Round theirs) throws Exception {
        return run(rounds, Interleaved::rate, ours, theirs, (a, b) -> a / b);
    }

    /**
     * Runs rounds that do not count, until the compiler is idle or after 30 rounds. The rows call it for Jono, whose
     * code takes longer to compile than that of the other side.
     *
     * @param least the minimum number of rounds
     */
    static void warmUp(int least, Round work) throws Exception {
        for (int round = 0; round < MAX_WARM_UP_ROUNDS; round++) {
            long compiled = COMPILER.getTotalCompilationTime();
            long start = CLOCK.nanos();
            rate(work);
            long compiling = TimeUnit.MILLISECONDS.toNanos(COMPILER.getTotalCompilationTime() - compiled);
            if (round + 1 >= least && compiling * IDLE_FRACTION < CLOCK.nanos() - start) {
                return;
            }
        }
    }

    @CanIgnoreReturnValue
    private static double rate(Round work) throws Exception {
        work.before();
        long start = CLOCK.nanos();
        long operations = work.run();
        double rate = operations * 1e9 / (CLOCK.nanos() - start);
        work.after();
        return rate;
    }

    /** Returns a measure of the rate that runs a preparation before each round, untimed. */
    static Measure timedAfter(Preparation before) {
        return work -> {
            before.run();
            return rate(work);
        };
    }

    /** Prepares a round; not timed. */
    @FunctionalInterface
    interface Preparation {
        void run() throws Exception;
    }

    /** Runs a round of one side and returns its figure. */
    @FunctionalInterface
    interface Measure {
        double of(Round work) throws Exception;
    }

    /** Compares the figures that {@code measure} returns. */
    static Comparison run(int rounds, Measure measure, Round ours, Round theirs, DoubleBinaryOperator ratio)
            throws Exception {
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            measure.of(theirs);
            measure.of(ours);
        }
        List<Double> a = new ArrayList<>();
        List<Double> b = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            // The sides take turns to begin, so that neither always runs after the other.
            boolean oursFirst = round % 2 == 0;
            double first = measure.of(oursFirst ? ours : theirs);
            double second = measure.of(oursFirst ? theirs : ours);
            double own = oursFirst ? first : second;
            double other = oursFirst ? second : first;
            a.add(own);
            b.add(other);
            ratios.add(ratio.applyAsDouble(own, other));
        }
        return new Comparison(Spread.of(a), Spread.of(b), Spread.of(ratios));
    }

    /** The figures of both sides, and the ratios of the rounds. */
    record Comparison(Spread ours, Spread theirs, Spread ratio) {}
}
