package dev.jono.internal.claim;

import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A message that this process has claimed (leased) or taken (removed from the storage), and that is not yet settled, handed to
 * a caller, or put back. Used by claims, the heartbeat and reservations, on any thread. Thread-safe.
 */
public final class HeldMessage {
    public final StoredMessage message;
    public final ClaimTerms terms;

    /**
     * The earliest monotonic time at which the lease can end. The lease counts from the time at which the claim, or the last
     * successful extension, was sent.
     */
    private volatile long leaseEndNanos;

    /**
     * Whether the reservation is known to be stale: the heartbeat found that another consumer has claimed or removed the
     * message, or an earlier message of its key went back to the queue.
     */
    private volatile boolean stale;

    /** Whether an extension by the heartbeat is in flight. */
    private volatile boolean extending;

    /** The messages of the same ordering key that came with it and are handed to the same caller, itself among them. */
    private volatile List<HeldMessage> sameKey = List.of();

    private int indexInKey;

    /**
     * A message that was claimed or taken.
     *
     * @param sentNanos when the claim was sent, by the monotonic clock
     */
    public HeldMessage(StoredMessage message, ClaimTerms terms, long sentNanos) {
        this.message = message;
        this.terms = terms;
        this.leaseEndNanos = sentNanos + terms.leaseMillis() * 1_000_000;
    }

    /** Links messages that one claim brought and that have one ordering key, so that each knows the later ones. */
    public static void linkByKey(List<HeldMessage> messages) {
        Map<String, List<HeldMessage>> byKey = new HashMap<>();
        for (HeldMessage held : messages) {
            String key = held.message.key();
            if (key != null) {
                List<HeldMessage> sameKey = byKey.computeIfAbsent(key, k -> new ArrayList<>());
                held.indexInKey = sameKey.size();
                held.sameKey = sameKey;
                sameKey.add(held);
            }
        }
    }

    /** It went back to the queue; the storage has taken the later ones of its key back with it. */
    public void wentBack() {
        List<HeldMessage> all = sameKey;
        all.subList(Math.min(indexInKey + 1, all.size()), all.size()).forEach(HeldMessage::markStale);
    }

    /** Whether one of these messages must be handed out alone. */
    static boolean anyIsolated(List<HeldMessage> messages) {
        return messages.stream().anyMatch(one -> one.message.isolated());
    }

    public Receipt receipt() {
        return Objects.requireNonNull(message.receipt(), "a claimed message has a receipt");
    }

    /** Whether the lease has perhaps ended; false for a taken message, which has no lease. */
    public boolean mayHaveExpired(long nowNanos) {
        return terms.reserves() && leaseEndNanos - nowNanos <= 0;
    }

    public long leaseEndNanos() {
        return leaseEndNanos;
    }

    /** The lease was extended to this monotonic time. */
    public void setLeaseEnd(long endNanos) {
        leaseEndNanos = endNanos;
    }

    /** Whether an extension by the heartbeat is in flight. */
    public boolean isExtending() {
        return extending;
    }

    public void setExtending(boolean inFlight) {
        extending = inFlight;
    }

    /** The heartbeat found that the reservation is stale: nothing can be settled any more. */
    public void markStale() {
        stale = true;
    }

    public boolean isStale() {
        return stale;
    }
}
