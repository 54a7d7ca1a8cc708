package dev.jono.internal.claim;

import dev.jono.spi.ClaimResult;

/**
 * A claim that was answered, and is not handed out yet.
 *
 * @param exhausted whether the storage had no more messages that were due
 * @param nextWaits whether the next claim waits until the callers of this one have made their next calls
 */
record AnsweredClaim(ClaimCall claim, ClaimResult result, boolean exhausted, boolean nextWaits) {
    /**
     * Whether the next claim may be sent before this one is handed out. The leftover messages of this one can then be handed
     * out before those of the next one; no message of it has to be handed out alone; and no waiter loses its turn.
     */
    boolean mayBeFollowedBy(ClaimTerms terms) {
        return claim.terms.equals(terms)
                && !terms.alone()
                && terms.shared()
                && (exhausted || result.size() >= claim.max);
    }
}
