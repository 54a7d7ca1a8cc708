package dev.jono.internal.claim;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What claims have brought and no waiter has yet: answered claims, two at most, in their order, and messages that are left
 * of the one before. Guarded by the lock of the {@link WaitingConsumers}.
 */
final class AnsweredClaims {
    private static final long NONE = Long.MAX_VALUE;

    private final ArrayDeque<AnsweredClaim> claims = new ArrayDeque<>(2);

    /** Messages that no waiter took, kept because the next claim was in flight already. */
    private List<HeldMessage> left = List.of();

    /** The number of the claim that brought what is left. */
    private long leftFrom = NONE;

    void add(AnsweredClaim answered) {
        claims.add(answered);
    }

    /** The one to hand out next; null for none. */
    @Nullable AnsweredClaim first() {
        return claims.peek();
    }

    /** Whether a claim may be made: one answered claim may wait to be handed out, and nothing may be left of the one before. */
    boolean allowNext() {
        return claims.size() <= 1 && left.isEmpty();
    }

    /** One was handed out, or cannot be; false if it was removed before. */
    boolean remove(AnsweredClaim answered) {
        boolean removed = claims.remove(answered);
        if (removed) {
            leftFrom = NONE;
        }
        return removed;
    }

    /** Keeps what no waiter took of a claim. */
    void keep(List<HeldMessage> messages, ClaimCall from) {
        left = messages;
        leftFrom = from.number;
    }

    /** Takes what is left, to be handed out before the next answered claim: it still counts as not handed out. */
    List<HeldMessage> takeLeft() {
        List<HeldMessage> taken = left;
        left = List.of();
        return taken;
    }

    /** Takes what is left, to be given back. */
    List<HeldMessage> dropLeft() {
        leftFrom = NONE;
        return takeLeft();
    }

    /** The number of the first claim that is in flight or not handed out; {@code Long.MAX_VALUE} for none. */
    long oldest(@Nullable ClaimCall inFlight) {
        AnsweredClaim first = claims.peek();
        ClaimCall claim = first == null ? inFlight : first.claim();
        return Math.min(leftFrom, claim == null ? NONE : claim.number);
    }
}
