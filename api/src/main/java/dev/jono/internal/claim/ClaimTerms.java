package dev.jono.internal.claim;

import dev.jono.spi.BackendTraits;
import dev.jono.spi.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which waiters want messages. Waiters with equal terms share a claim. Immutable.
 *
 * @param leaseMillis the length of the lease; 0 to take messages instead
 * @param maxDeliveries after this many deliveries a message is dead-lettered
 * @param deadLetterQueue the queue to which it is moved then
 * @param consumer the name of the consumer; null for none
 * @param maxPerKey the maximum number of messages of one ordering key that one waiter gets together. Above 1 a claim serves
 *     one waiter only, because no other one may hold messages of the key
 */
public record ClaimTerms(
        long leaseMillis,
        int maxDeliveries,
        String deadLetterQueue,
        @Nullable String consumer,
        int maxPerKey) {
    /**
     * A message whose lease has expired is claimed alone from this many tries on. With fewer tries it is claimed together with
     * others once more, because a message is seldom the cause of a crash.
     */
    private static final int ISOLATE_EXPIRED_TRIES = 2;

    /** Whether messages are claimed (leased), and not taken. */
    public boolean reserves() {
        return leaseMillis > 0;
    }

    /** The demand from which a claim is made at once, without waiting for further callers. */
    int enough(BackendTraits traits) {
        return reserves() ? traits.preferredBatch() : traits.preferredTakeBatch();
    }

    /**
     * Whether each message is claimed alone, because its first delivery is its last: a crash would otherwise be the last
     * delivery of the messages next to it too.
     */
    boolean alone() {
        return reserves() && maxDeliveries == 1;
    }

    /** Whether a claim may serve several waiters. */
    boolean shared() {
        return maxPerKey == 1;
    }

    /** These terms for a waiter that takes up to {@code max} messages of one ordering key together. */
    public ClaimTerms withMaxPerKey(int max) {
        return new ClaimTerms(leaseMillis, maxDeliveries, deadLetterQueue, consumer, max);
    }

    /**
     * A message with this many tries is claimed alone: its next delivery is the last, and other messages must not be counted
     * if the consumer crashes.
     */
    int isolateTries() {
        return maxDeliveries == Integer.MAX_VALUE ? Integer.MAX_VALUE : maxDeliveries - 1;
    }

    /** A message with this many tries whose lease has expired is claimed alone. */
    int isolateExpiredTries() {
        return Math.min(ISOLATE_EXPIRED_TRIES, isolateTries());
    }

    /** The request of a storage call on these terms. */
    public ClaimRequest claim(int max, String token) {
        return ClaimRequest.builder()
                .max(max)
                .leaseMillis(leaseMillis)
                .isolateTries(isolateTries())
                .isolateExpiredTries(isolateExpiredTries())
                .consumer(consumer)
                .maxPerKey(maxPerKey)
                .token(token)
                .build();
    }
}
