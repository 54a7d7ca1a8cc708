package dev.jono.cli;

/**
 * A message of the demo as it is pushed: a line of the log.
 *
 * @param n its number, from 0
 * @param at when it was pushed, by the {@link SharedClock}
 * @param delayMillis how long it was to wait
 * @param fate what is to happen to it
 */
record LogLine(int n, long at, long delayMillis, Fate fate, String text) {
    private static final int LATE_EVERY = 211;
    private static final int FLAKY_EVERY = 331;
    private static final int BUMPY_EVERY = 503;
    private static final int POISON_EVERY = 1_999;
    private static final int UNREADABLE_EVERY = 2_999;

    /** What is to happen to a message. */
    enum Fate {
        /** Passes. */
        PLAIN,
        /** Is scheduled for later. */
        LATE,
        /** Fails once in the pipeline's stage. */
        BUMPY,
        /** Fails in a worker, twice. */
        FLAKY,
        /** Fails in every worker, and ends in the dead letters. */
        POISON,
        /** Is rejected by the pipeline's stage, and ends in the dead letters. */
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
