package dev.jono.internal.claim;

import dev.jono.spi.StoredMessage;
import java.util.List;

/**
 * Removes from what a claim brought the messages that were delivered {@link ClaimTerms#maxDeliveries} times. Called by {@link
 * ClaimLoop} on the threads of the storage, with no lock held.
 */
@FunctionalInterface
public interface DeliveryLimit {
    /**
     * Dead-letters the messages that have reached the limit. Returns the others, in their order, in a list that the caller can
     * change.
     *
     * @param sentNanos when the claim was sent, by the monotonic clock
     */
    List<HeldMessage> apply(List<StoredMessage> messages, ClaimTerms terms, long sentNanos);
}
