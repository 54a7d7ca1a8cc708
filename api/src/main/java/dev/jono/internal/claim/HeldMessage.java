package dev.jono.internal.claim;

import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Objects;

/** A message that this process has claimed or taken and not settled yet. Thread-safe. */
public final class HeldMessage {
    public final StoredMessage message;
    public final ClaimTerms terms;

    /** The earliest monotonic time at which the lease may end, counted from the sending of the claim. */
    private volatile long leaseEndNanos;

    /** Whether another consumer has it by now. */
    private volatile boolean lost;

    /** Whether an extend of the heartbeat is in flight. */
    private volatile boolean extending;

    public HeldMessage(StoredMessage message, ClaimTerms terms, long sentNanos) {
        this.message = message;
        this.terms = terms;
        this.leaseEndNanos = sentNanos + terms.leaseMillis() * 1_000_000;
    }

    /** Whether one of these messages must be handed out alone. */
    static boolean anyIsolated(List<HeldMessage> messages) {
        return messages.stream().anyMatch(one -> one.message.isolated());
    }

    public Receipt receipt() {
        return Objects.requireNonNull(message.receipt(), "a claimed message has a receipt");
    }

    /** Whether the lease may have ended; a taken message has none. */
    public boolean mayHaveExpired(long nowNanos) {
        return terms.reserves() && leaseEndNanos - nowNanos <= 0;
    }

    public long leaseEndNanos() {
        return leaseEndNanos;
    }

    public void extended(long endNanos) {
        leaseEndNanos = endNanos;
    }

    /** Whether an extend of the heartbeat is in flight. */
    public boolean extending() {
        return extending;
    }

    public void extending(boolean now) {
        extending = now;
    }

    public void lose() {
        lost = true;
    }

    public boolean lost() {
        return lost;
    }
}
