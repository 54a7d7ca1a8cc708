package dev.jono.backend.mongo;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps competing claims apart: each claim chooses one of several batches at the head of the queue at random. Without
 * competition there is one batch. A claim that loses many messages to others doubles the number of batches; some claims
 * without such a loss halve it. Without a lock: a lost update only delays the adjustment. Thread-safe.
 */
final class ClaimSpread {
    private static final int MAX_BATCHES = 16;
    /** After this many claims without a loss the number of batches is halved. */
    private static final int CALM_CLAIMS = 8;

    private volatile int batches = 1;
    private volatile int calmClaims;

    /** Whether no other process competes. */
    boolean uncontended() {
        return batches == 1;
    }

    /** The batch to claim; 0 is the first. */
    int chooseBatch() {
        int choice = batches;
        return choice == 1 ? 0 : ThreadLocalRandom.current().nextInt(choice);
    }

    /** The chosen batch was empty: the queue has fewer batches. */
    void reset() {
        batches = 1;
        calmClaims = 0;
    }

    /**
     * Adjusts the number of batches after a claim; it counts as a loss if more than an eighth of the messages was lost.
     */
    void recordClaim(int claimed, int chosen) {
        if (8 * claimed < 7 * chosen) {
            batches = Math.min(MAX_BATCHES, 2 * batches);
            calmClaims = 0;
        } else if (batches > 1) {
            int calm = calmClaims + 1;
            batches = calm == CALM_CLAIMS ? batches / 2 : batches;
            calmClaims = calm % CALM_CLAIMS;
        }
    }
}
