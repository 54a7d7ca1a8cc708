package dev.jono.internal.claim;

import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Shares out among the waiters what one claim brought, and notifies them. Used by one thread of the storage at a time, which
 * does not hold the lock of the {@link WaitingConsumers}.
 */
final class HandOut {
    private static final Log LOG = Log.named("dev.jono");

    private final ClaimCall claim;
    private final Function<ClaimCall, List<Demand>> others;
    private final List<Waiter> toNotify;

    /**
     * The hand-out of one claim.
     *
     * @param others finds the demands of the other waiters: those on the same terms that are part of no claim
     */
    HandOut(ClaimCall claim, Function<ClaimCall, List<Demand>> others) {
        this.claim = claim;
        this.others = others;
        this.toNotify = new ArrayList<>(claim.demands.size());
    }

    /** The waiters that accepted messages, and the workers of the claim for which no message was left over. */
    List<Waiter> toNotify() {
        return toNotify;
    }

    /** Offers each waiter its part, in the order of the line; returns the messages that no waiter accepted. */
    List<HeldMessage> handOut(List<HeldMessage> messages) {
        List<HeldMessage> leftover = offer(claim.demands, messages);
        // A waiter of the claim has perhaps ended since the claim was made: then its messages go to the others.
        return leftover.isEmpty() ? leftover : offer(others.apply(claim), leftover);
    }

    private List<HeldMessage> offer(List<Demand> demands, List<HeldMessage> messages) {
        List<HeldMessage> leftover = messages;
        for (Demand demand : demands) {
            leftover = offer(demand.waiter(), demand.count(), leftover);
        }
        return leftover;
    }

    private List<HeldMessage> offer(Waiter waiter, int demand, List<HeldMessage> messages) {
        int count = Math.min(demand, messages.size());
        if (count == 0) {
            waiter.notServed();
            if (waiter.isWorker()) {
                toNotify.add(waiter);
            }
            return messages;
        }
        boolean accepted = waiter.accept(messages.subList(0, count));
        if (accepted) {
            toNotify.add(waiter);
        }
        return accepted ? messages.subList(count, messages.size()) : messages;
    }

    /**
     * Notifies the waiters of {@link #toNotify}, and those for which the queue has no message; then runs a step. If a waiter
     * throws, the others are notified nevertheless.
     */
    void notifyWaiters(EngineContext context, List<Waiter> withoutMessages, Runnable afterwards) {
        context.notifyCallers(blockedThreads(toNotify) + blockedThreads(withoutMessages), () -> {
            toNotify.forEach(waiter -> guarded(waiter::afterHandOut));
            withoutMessages.forEach(waiter -> guarded(waiter::queueEmpty));
            afterwards.run();
        });
    }

    private void guarded(Runnable notification) {
        try {
            notification.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("a waiter of queue '{}' could not be notified", claim.queue, broken);
        }
    }

    private static int blockedThreads(List<Waiter> waiters) {
        int blocked = 0;
        for (Waiter waiter : waiters) {
            blocked += waiter.hasBlockedThread() ? 1 : 0;
        }
        return blocked;
    }
}
