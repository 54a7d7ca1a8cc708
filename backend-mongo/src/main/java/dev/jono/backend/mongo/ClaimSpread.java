package dev.jono.backend.mongo;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps competing claims apart: each picks one of several batches at the head, at random. While nobody is in the way that is
 * the first. Who loses messages to others doubles the choice at once; some claims that lose next to nothing halve it, so that under
 * steady competition little is lost. Not locked: a change that is lost is made again.
 */
final class ClaimSpread {
    private static final int WIDEST = 16;
    /** So many claims without a loss narrow the choice. */
    private static final int CALM = 8;

    private volatile int width = 1;
    private volatile int calm;

    /** Whether nobody is in the way. */
    boolean uncontended() {
        return width == 1;
    }

    /** Which batch to claim; 0 is the first. */
    int chooseBatch() {
        int choice = width;
        return choice == 1 ? 0 : ThreadLocalRandom.current().nextInt(choice);
    }

    /** There are not as many batches. */
    void reset() {
        width = 1;
        calm = 0;
    }

    /** Of those that a claim chose it got so many. */
    void recordClaim(int got, int chosen) {
        if (8 * got < 7 * chosen) {
            width = Math.min(WIDEST, 2 * width);
            calm = 0;
        } else if (width > 1) {
            int quiet = calm + 1;
            width = quiet == CALM ? width / 2 : width;
            calm = quiet % CALM;
        }
    }
}
