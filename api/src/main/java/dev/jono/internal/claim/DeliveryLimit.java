package dev.jono.internal.claim;

import dev.jono.spi.StoredMessage;
import java.util.List;

/** Takes out of a claim the messages that were delivered as often as they may be. Called on the storage's threads. */
@FunctionalInterface
public interface DeliveryLimit {
    /**
     * Deals with the messages that have reached the limit; returns the others, in their order, in a list that may be changed.
     *
     * @param sentNanos when the claim was sent, by the monotonic clock
     */
    List<HeldMessage> apply(List<StoredMessage> messages, ClaimTerms terms, long sentNanos);
}
