package dev.jono.internal.claim;

import dev.jono.spi.BackendTraits;
import dev.jono.spi.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which messages are claimed. Waiters with equal terms share a claim.
 *
 * @param leaseMillis length of the lease; 0 to take messages instead
 * @param maxDeliveries after this many deliveries a message is dead-lettered
 * @param deadLetterQueue where it goes then
 * @param consumer the name of the consumer; null for none
 */
public record ClaimTerms(
        long leaseMillis,
        int maxDeliveries,
        String deadLetterQueue,
        @Nullable String consumer) {
    /**
     * A message whose lease expired is batched once more, because most crashes are not its fault. After that it comes
     * alone.
     */
    private static final int EXPIRIES_IN_COMPANY = 2;

    public boolean reserves() {
        return leaseMillis > 0;
    }

    /** How many waiting messages are enough for a claim while callers are about to ask for more. */
    int enough(BackendTraits traits) {
        return reserves() ? traits.preferredBatch() : traits.preferredTakeBatch();
    }

    /**
     * Whether each message is claimed alone, because its first delivery is its last: a crash would otherwise end its
     * neighbours too.
     */
    boolean alone() {
        return reserves() && maxDeliveries == 1;
    }

    /**
     * A message with this many tries comes alone: its next delivery is the last, and a crash must not end its neighbours.
     */
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
