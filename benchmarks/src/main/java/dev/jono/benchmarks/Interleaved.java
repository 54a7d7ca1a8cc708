package dev.jono.benchmarks;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.JonoClock;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleBinaryOperator;

/** Runs two contenders in turn, A B A B …, so that what disturbs the machine disturbs both, and compares round by round. */
final class Interleaved {
    /** Not counted: with two cores the compiler takes its time from both contenders. */
    private static final int WARM_UP_ROUNDS = 3;

    private static final int MOST_WARM_UP_ROUNDS = 30;
    /** The compiler rests when it takes less than this part of a round. */
    private static final int RESTING = 20;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private static final JonoClock CLOCK = JonoClock.system();

    private Interleaved() {}

    /** One contender's work for one round; returns how many operations it did. */
    @FunctionalInterface
    interface Round {
        long run() throws Exception;

        /** Makes ready; not timed. */
        default void before() throws Exception {}

        /** Checks what was done; not timed. */
        default void after() throws Exception {}
    }

    /** Rates of both in each round, operations per second. */
    static Comparison rates(int rounds, Round ours, Round theirs) throws Exception {
        return run(rounds, Interleaved::rate, ours, theirs, (a, b) -> a / b);
    }

    /**
     * Rounds of ours that are not counted, until the compiler hardly works any more: it needs longer for us than the others
     * need, and with two cores would take the time of both.
     *
     * @param least so many in any case
     */
    static void warmUp(int least, Round work) throws Exception {
        for (int round = 0; round < MOST_WARM_UP_ROUNDS; round++) {
            long compiled = COMPILER.getTotalCompilationTime();
            long start = CLOCK.nanos();
            rate(work);
            long compiling = TimeUnit.MILLISECONDS.toNanos(COMPILER.getTotalCompilationTime() - compiled);
            if (round + 1 >= least && compiling * RESTING < CLOCK.nanos() - start) {
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

    /** A rate that leaves out the time of what is prepared before each round. */
    static Measure timedAfter(Preparation before) {
        return work -> {
            before.run();
            return rate(work);
        };
    }

    /** What is done before a round, untimed. */
    @FunctionalInterface
    interface Preparation {
        void run() throws Exception;
    }

    /** How a round of one contender becomes a figure. */
    @FunctionalInterface
    interface Measure {
        double of(Round work) throws Exception;
    }

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
            // Who begins changes, so that neither always follows the other.
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

    /** Both contenders' figures, and the ratios of the rounds. */
    record Comparison(Spread ours, Spread theirs, Spread ratio) {}
}
