package dev.jono.internal;

import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.util.Objects;

/** A message that this process holds: claimed, or taken, and not yet settled. */
final class HeldMessage {
    final StoredMessage message;
    final ClaimTerms terms;

    /** Monotonic time at which the lease may end at the earliest: counted from the sending of the claim. */
    private volatile long leaseEndNanos;

    /** Whether somebody else has it by now. */
    private volatile boolean lost;

    /** Whether an extend of the heartbeat is in flight. */
    private volatile boolean extending;

    HeldMessage(StoredMessage message, ClaimTerms terms, long sentNanos) {
        this.message = message;
        this.terms = terms;
        this.leaseEndNanos = sentNanos + terms.leaseMillis() * 1_000_000;
    }

    Receipt receipt() {
        return Objects.requireNonNull(message.receipt(), "a claimed message has a receipt");
    }

    /** Whether the lease may have ended. What was taken has none. */
    boolean mayHaveExpired(long nowNanos) {
        return terms.reserves() && leaseEndNanos - nowNanos <= 0;
    }

    long leaseEndNanos() {
        return leaseEndNanos;
    }

    void extended(long endNanos) {
        leaseEndNanos = endNanos;
    }

    /** Whether an extend of the heartbeat is in flight. */
    boolean extending() {
        return extending;
    }

    void extending(boolean now) {
        extending = now;
    }

    void lose() {
        lost = true;
    }

    boolean lost() {
        return lost;
    }
}
