package dev.jono.internal.claim;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answered claims that are not handed out yet (two at most, in their order), and the leftover messages of the claim before.
 * Guarded by the lock of {@link WaitingConsumers}, which callers hold.
 */
final class AnsweredClaims {
    private static final long NONE = Long.MAX_VALUE;

    private final ArrayDeque<AnsweredClaim> claims = new ArrayDeque<>(2);

    /** Messages that no waiter took, kept because the next claim was in flight already. */
    private List<HeldMessage> leftover = List.of();

    /** The number of the claim that brought the leftover messages. */
    private long leftoverFrom = NONE;

    void add(AnsweredClaim answered) {
        claims.add(answered);
    }

    /** The one to hand out next; null for none. */
    @Nullable AnsweredClaim first() {
        return claims.peek();
    }

    /** Whether a claim may be made: one answered claim may wait to be handed out if the one before has no leftover messages. */
    boolean allowNext() {
        return claims.size() <= 1 && leftover.isEmpty();
    }

    /** Removes a claim that was handed out, or that failed; false if it was removed before. */
    boolean remove(AnsweredClaim answered) {
        boolean removed = claims.remove(answered);
        if (removed) {
            leftoverFrom = NONE;
        }
        return removed;
    }

    /** Keeps the messages of a claim that no waiter took. */
    void keep(List<HeldMessage> messages, ClaimCall from) {
        leftover = messages;
        leftoverFrom = from.number;
    }

    /** Removes the leftover messages, to be handed out before the next answered claim: they still count as not handed out. */
    List<HeldMessage> removeLeftover() {
        List<HeldMessage> removed = leftover;
        leftover = List.of();
        return removed;
    }

    /** Removes the leftover messages, to be given back. */
    List<HeldMessage> dropLeftover() {
        leftoverFrom = NONE;
        return removeLeftover();
    }

    /** The number of the first claim that is in flight or not handed out; {@code Long.MAX_VALUE} for none. */
    long oldest(@Nullable ClaimCall inFlight) {
        AnsweredClaim first = claims.peek();
        ClaimCall claim = first == null ? inFlight : first.claim();
        return Math.min(leftoverFrom, claim == null ? NONE : claim.number);
    }
}
