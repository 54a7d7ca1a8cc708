package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import java.util.List;
import java.util.Locale;

/**
 * How a run shares out its time: from how long it may take follows how long a step of a round takes. It is reckoned anew before
 * each work, from the time that is left.
 */
final class Plan {
    private static final JonoClock CLOCK = JonoClock.system();

    /** What a step costs besides: connecting workers, looking at the processor time, ending. Measured. */
    private static final double BESIDES = 0.2;

    private static final double LEAST = 0.1;

    /** A message stored or measured in bytes: servers of their own are started. */
    private static final double BYTES_SECONDS = 6;

    /** Messages a second that somebody of middling speed fills a backlog with, and empties it again. */
    private static final double BACKLOG_RATE = 10_000;

    /** The sorts of runs. */
    enum Kind {
        QUICK("quick: few and short rounds", 4.1, 3, 2, 15, 0.5, 1.5, 1.5, 10),
        USUAL("usual", 55, 5, 10, 20, 5, 2, 1.5, 30),
        FULL("full", Double.MAX_VALUE, 5, 10, 20, 10, 5, 1.5, 60);

        private final String text;
        private final double minutes;
        private final int rounds;
        private final int warmUps;
        /** In the flow, which is to be steady: a JVM compiles for some fifteen seconds, with half of the processors' time. */
        private final int flowWarmUps;

        private final double pacedWarmUp;
        private final double paced;
        private final double most;
        private final int limit;

        Kind(
                String text,
                double minutes,
                int rounds,
                int warmUps,
                int flowWarmUps,
                double pacedWarmUp,
                double paced,
                double most,
                int limit) {
            this.text = text;
            this.minutes = minutes;
            this.rounds = rounds;
            this.warmUps = warmUps;
            this.flowWarmUps = flowWarmUps;
            this.pacedWarmUp = pacedWarmUp;
            this.paced = paced;
            this.most = most;
            this.limit = limit;
        }

        /** For people. */
        String text() {
            return text;
        }

        /** For the names of files. */
        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** How long a run takes. */
        double minutes() {
            return minutes;
        }

        /** Rounds that count. */
        int rounds() {
            return rounds;
        }

        /** Seconds after which a step has hung. */
        int limit() {
            return limit;
        }
    }

    private final Kind kind;
    private final int rounds;
    private final List<Work> works;
    private final List<Contestant> who;
    private final double most;
    private final long end;

    /**
     * A plan.
     *
     * @param endNanos when the run is to end
     * @param most seconds that a step of a round takes at most; 0 for what is usual
     */
    Plan(Kind kind, int rounds, List<Work> works, List<Contestant> who, long endNanos, double most) {
        this.kind = kind;
        this.rounds = rounds;
        this.works = works;
        this.who = who;
        this.most = most > 0 ? most : kind.most;
        this.end = endNanos;
    }

    boolean quick() {
        return kind == Kind.QUICK;
    }

    /** Rounds that count; bytes do not vary. */
    int rounds(Work work) {
        return work.kind() == Work.Kind.BYTES ? 1 : rounds;
    }

    /** Rounds before those that count. They let the JVM compile, and tell how many messages a round wants. */
    int warmUps(Work work) {
        return switch (work.kind()) {
            case BYTES -> 0;
            case PACED, BACKLOG -> 1;
            case STEPS -> work.width() == 1 ? 1 : kind.warmUps; // one at a time is no matter of the compiler
            case FLOW -> kind.flowWarmUps;
        };
    }

    /** Seconds of a paced round. */
    double pacedSeconds(boolean counts) {
        return counts ? kind.paced : kind.pacedWarmUp;
    }

    /** Seconds that a step of a round of this work, and of those behind it, takes, so that all end in time. */
    double stepSeconds(Work work) {
        List<Work> left = works.subList(works.indexOf(work), works.size());
        double seconds = (end - CLOCK.nanos()) / 1e9;
        double turns = left.stream().mapToDouble(this::turns).sum();
        double fixed = left.stream().mapToDouble(each -> cost(each, 0)).sum();
        return Math.max(LEAST, Math.min(most, (seconds - fixed) / Math.max(1, turns)));
    }

    /** Steps of about one length. */
    private double turns(Work work) {
        return who.stream().mapToDouble(each -> turns(work, each)).sum();
    }

    private double turns(Work work, Contestant by) {
        if (!work.can(by)) {
            return 0;
        }
        return switch (work.kind()) {
            case STEPS -> 2.0 * work.takes(by, quick()).size() * (warmUps(work) + rounds);
            case FLOW -> warmUps(work) + rounds;
            case BACKLOG -> 2.0 * (1 + rounds);
            case PACED, BYTES -> 0;
        };
    }

    /** Seconds that a work takes. */
    private double cost(Work work, double step) {
        return who.stream().mapToDouble(by -> cost(work, by, step)).sum();
    }

    /** Seconds that somebody has for a work. */
    double cost(Work work, Contestant by, double step) {
        if (!work.can(by)) {
            return 0;
        }
        double fixed = switch (work.kind()) {
            case PACED -> pacedSeconds(false) + BESIDES + rounds * (pacedSeconds(true) + BESIDES);
            case BYTES -> BYTES_SECONDS;
            case BACKLOG -> 2 * work.depth() / BACKLOG_RATE;
            case STEPS, FLOW -> 0;
        };
        return fixed + turns(work, by) * (step + BESIDES);
    }

    /** What is to come, for people. */
    String text() {
        double step = works.isEmpty() ? 0 : stepSeconds(works.get(0));
        double seconds = works.stream().mapToDouble(work -> cost(work, step)).sum();
        long cells = works.stream()
                .mapToLong(work -> who.stream().filter(work::can).count())
                .sum();
        return String.format(
                Locale.ROOT,
                "%d contestants, %d works, %d cells, %d rounds: about %.0f minutes, of which a step of a round takes %.2f s",
                who.size(),
                works.size(),
                cells,
                rounds,
                Math.ceil(seconds / 60),
                step);
    }

    /** How everybody is warmed up, for the result. */
    String warming() {
        return String.format(
                Locale.ROOT,
                "as many rounds as these before those that count, for everybody alike: %d as fast as it goes, %d of the steady flow, 1"
                        + " with one message at a time; before the delays %.0f s at the same rate, and in all %s",
                kind.warmUps,
                kind.flowWarmUps,
                kind.pacedWarmUp,
                "the flow as fast as it goes came before");
    }
}
