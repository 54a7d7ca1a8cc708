package dev.jono.internal.claim;

import dev.jono.spi.BackendTraits;
import dev.jono.spi.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * On what terms messages are wanted. Waiters of equal terms share a claim.
 *
 * @param leaseMillis length of the lease; 0 to take, and not to reserve
 * @param maxDeliveries how often a message may be delivered
 * @param deadLetterQueue where a message goes that was delivered so often
 * @param consumer the consumer's name
 */
public record ClaimTerms(
        long leaseMillis,
        int maxDeliveries,
        String deadLetterQueue,
        @Nullable String consumer) {
    /** An expired message travels in batches once more: most crashes are not its fault. Then it comes alone. */
    private static final int EXPIRIES_IN_COMPANY = 2;

    public boolean reserves() {
        return leaseMillis > 0;
    }

    /** How many waits on these terms are enough to claim for, while others are about to begin. */
    int enough(BackendTraits traits) {
        return reserves() ? traits.preferredBatch() : traits.preferredTakeBatch();
    }

    /** Whether each message is claimed alone, since its first delivery is its last: or a crash would give up its neighbours unseen. */
    boolean alone() {
        return reserves() && maxDeliveries == 1;
    }

    /** The last delivery is made alone: what ends it must not end its neighbours. */
    int isolateTries() {
        return maxDeliveries == Integer.MAX_VALUE ? Integer.MAX_VALUE : maxDeliveries - 1;
    }

    int isolateExpiredTries() {
        return Math.min(EXPIRIES_IN_COMPANY, isolateTries());
    }

    /** The storage call on these terms. */
    public ClaimRequest claim(int max, String token) {
        return ClaimRequest.builder()
                .max(max)
                .leaseMillis(leaseMillis)
                .isolateTries(isolateTries())
                .isolateExpiredTries(isolateExpiredTries())
                .consumer(consumer)
                .token(token)
                .build();
    }
}
