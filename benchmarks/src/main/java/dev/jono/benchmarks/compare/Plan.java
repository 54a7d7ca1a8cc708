package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import java.util.List;
import java.util.Locale;

/**
 * Divides the time of a run among its works, rounds and contestants: computes how long a step of a round may take. The
 * time is divided again before each work, from the time that is left.
 */
final class Plan {
    private static final JonoClock CLOCK = JonoClock.system();

    /** The seconds around a step, for connecting workers, reading CPU times and stopping; as measured. */
    private static final double STEP_OVERHEAD_SECONDS = 0.2;

    private static final double MIN_STEP_SECONDS = 0.1;

    /** The seconds per contestant to measure bytes, which starts a server. */
    private static final double BYTES_SECONDS = 6;

    /** The messages per second with which a contestant of medium speed fills and empties a backlog. */
    private static final double BACKLOG_RATE = 10_000;

    /** Warm-up rounds of jobs, in each kind of run. They leave records, so there are no more than the compiler needs. */
    private static final int JOB_WARM_UPS = 10;

    /** The kinds of runs. */
    enum Kind {
        QUICK("quick: few and short rounds", 4.1, 3, 2, 15, 0.5, 1.5, 1.5, 10),
        USUAL("usual", 55, 5, 10, 20, 5, 2, 1.5, 30),
        FULL("full", Double.MAX_VALUE, 5, 10, 20, 10, 5, 1.5, 60);

        private final String text;
        private final double minutes;
        private final int rounds;
        private final int warmUps;
        /** Warm-up rounds of the steady flow: a JVM compiles for about 15 seconds and uses half of the processors for it. */
        private final int flowWarmUps;

        private final double pacedWarmUpSeconds;
        private final double pacedSeconds;
        private final double maxStepSeconds;
        private final int limitSeconds;

        Kind(
                String text,
                double minutes,
                int rounds,
                int warmUps,
                int flowWarmUps,
                double pacedWarmUpSeconds,
                double pacedSeconds,
                double maxStepSeconds,
                int limitSeconds) {
            this.text = text;
            this.minutes = minutes;
            this.rounds = rounds;
            this.warmUps = warmUps;
            this.flowWarmUps = flowWarmUps;
            this.pacedWarmUpSeconds = pacedWarmUpSeconds;
            this.pacedSeconds = pacedSeconds;
            this.maxStepSeconds = maxStepSeconds;
            this.limitSeconds = limitSeconds;
        }

        /** Returns the text for the report. */
        String text() {
            return text;
        }

        /** Returns the name in file names. */
        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns how long a run takes by default. */
        double minutes() {
            return minutes;
        }

        /** Returns the number of rounds that count. */
        int rounds() {
            return rounds;
        }

        /** Returns the seconds after which a step counts as hung. */
        int limitSeconds() {
            return limitSeconds;
        }
    }

    private final Kind kind;
    private final int rounds;
    private final List<Work> works;
    private final List<Contestant> contestants;
    private final double maxStepSeconds;
    private final long endNanos;

    /**
     * A plan.
     *
     * @param endNanos the time at which the run should end
     * @param maxStepSeconds the longest step of a round; 0 for the default of {@code kind}
     */
    Plan(Kind kind, int rounds, List<Work> works, List<Contestant> contestants, long endNanos, double maxStepSeconds) {
        this.kind = kind;
        this.rounds = rounds;
        this.works = works;
        this.contestants = contestants;
        this.maxStepSeconds = maxStepSeconds > 0 ? maxStepSeconds : kind.maxStepSeconds;
        this.endNanos = endNanos;
    }

    /** Returns the bytes of a message in the first work; other works can have others, which their names contain. */
    int bytes() {
        return works.get(0).bytes();
    }

    boolean quick() {
        return kind == Kind.QUICK;
    }

    /** Returns the number of rounds that count; one for bytes, which do not vary. */
    int rounds(Work work) {
        return work.kind() == Work.Kind.BYTES ? 1 : rounds;
    }

    /** Returns the number of warm-up rounds. They let the JVM compile, and show how many messages a round needs. */
    int warmUps(Work work) {
        return switch (work.kind()) {
            case BYTES -> 0;
            case PACED, BACKLOG -> 1;
            case JOBS -> JOB_WARM_UPS;
            case STEPS ->
                work.width() == 1 ? 1 : kind.warmUps; // with one message at a time, the compiler matters little
            case FLOW -> kind.flowWarmUps;
        };
    }

    /** Returns the seconds of a paced round. */
    double pacedSeconds(boolean counts) {
        return counts ? kind.pacedSeconds : kind.pacedWarmUpSeconds;
    }

    /** Returns the seconds for a step of this work and of the works after it, so that all end in time. */
    double stepSeconds(Work work) {
        List<Work> left = works.subList(works.indexOf(work), works.size());
        double seconds = (endNanos - CLOCK.nanos()) / 1e9;
        double steps = left.stream().mapToDouble(this::steps).sum();
        double fixed = left.stream().mapToDouble(each -> cost(each, 0)).sum();
        return Math.max(MIN_STEP_SECONDS, Math.min(maxStepSeconds, (seconds - fixed) / Math.max(1, steps)));
    }

    /** Returns the number of steps of a work, each of about the same length. */
    private double steps(Work work) {
        return contestants.stream().mapToDouble(each -> steps(work, each)).sum();
    }

    private double steps(Work work, Contestant by) {
        if (!work.supports(by)) {
            return 0;
        }
        return switch (work.kind()) {
            case STEPS -> 2.0 * work.takeSteps(by, quick()).size() * (warmUps(work) + rounds);
            case FLOW -> warmUps(work) + rounds;
            case BACKLOG -> 2.0 * (1 + rounds);
            case JOBS -> 2.0 * (warmUps(work) + rounds);
            case PACED, BYTES -> 0;
        };
    }

    /** Returns the seconds of a work if a step takes {@code step} seconds. */
    private double cost(Work work, double step) {
        return contestants.stream().mapToDouble(by -> cost(work, by, step)).sum();
    }

    /** Returns the seconds that a contestant has for a work if a step takes {@code step} seconds. */
    double cost(Work work, Contestant by, double step) {
        if (!work.supports(by)) {
            return 0;
        }
        double fixed = switch (work.kind()) {
            case PACED ->
                pacedSeconds(false) + STEP_OVERHEAD_SECONDS + rounds * (pacedSeconds(true) + STEP_OVERHEAD_SECONDS);
            case BYTES -> BYTES_SECONDS;
            case BACKLOG -> 2 * work.depth() / BACKLOG_RATE;
            case STEPS, FLOW, JOBS -> 0;
        };
        return fixed + steps(work, by) * (step + STEP_OVERHEAD_SECONDS);
    }

    /** Returns a summary of the plan with the expected time. */
    String text() {
        double step = works.isEmpty() ? 0 : stepSeconds(works.get(0));
        double seconds = works.stream().mapToDouble(work -> cost(work, step)).sum();
        long cells = works.stream()
                .mapToLong(work -> contestants.stream().filter(work::supports).count())
                .sum();
        return String.format(
                Locale.ROOT,
                "%d contestants, %d works, %d cells, %d rounds: about %.0f minutes, %.2f s per step",
                contestants.size(),
                works.size(),
                cells,
                rounds,
                Math.ceil(seconds / 60),
                step);
    }

    /** Returns a description of the warm-up for the report. */
    String warming() {
        return String.format(
                Locale.ROOT,
                "the same for each contestant: %d rounds at its best, %d of the steady flow, %d of jobs, 1 with one message at a time; %.0f s"
                        + " at the same rate before the delays, after the steady flow",
                kind.warmUps,
                kind.flowWarmUps,
                JOB_WARM_UPS,
                kind.pacedWarmUpSeconds);
    }
}
