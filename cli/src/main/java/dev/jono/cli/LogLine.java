package dev.jono.cli;

/**
 * A message of the demo before the stage of the pipeline: a line of the log.
 *
 * @param n the number of the line, from 0
 * @param at the time of the push, by the {@link SharedClock}
 * @param delayMillis the delay of the push
 * @param fate what will happen to the message
 */
record LogLine(int n, long at, long delayMillis, Fate fate, String text) {
    private static final int LATE_EVERY = 211;
    private static final int FLAKY_EVERY = 331;
    private static final int BUMPY_EVERY = 503;
    private static final int POISON_EVERY = 1_999;
    private static final int UNREADABLE_EVERY = 2_999;

    /** What will happen to a message. */
    enum Fate {
        /** Succeeds at the first delivery. */
        PLAIN,
        /** Is scheduled for later. */
        LATE,
        /** Fails once in the pipeline's stage. */
        BUMPY,
        /** Fails in a worker, twice. */
        FLAKY,
        /** Fails in every worker, and becomes a dead letter. */
        POISON,
        /** Is rejected by the pipeline's stage, and becomes a dead letter. */
        UNREADABLE;

        boolean endsInDeadLetters() {
            return this == POISON || this == UNREADABLE;
        }
    }

    /** The fate of a line, by its number. */
    static Fate fateOf(int n) {
        if (n % UNREADABLE_EVERY == 17) {
            return Fate.UNREADABLE;
        }
        if (n % POISON_EVERY == 13) {
            return Fate.POISON;
        }
        if (n % BUMPY_EVERY == 11) {
            return Fate.BUMPY;
        }
        if (n % FLAKY_EVERY == 7) {
            return Fate.FLAKY;
        }
        return n % LATE_EVERY == 5 ? Fate.LATE : Fate.PLAIN;
    }
}
