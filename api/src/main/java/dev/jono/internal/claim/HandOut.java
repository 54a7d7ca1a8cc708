package dev.jono.internal.claim;

import dev.jono.internal.runtime.EngineContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Shares out among the waiters what one claim brought. Used by one thread, without the lock of the {@link
 * WaitingConsumers}.
 */
final class HandOut {
    private final ClaimCall claim;
    private final Function<ClaimCall, List<Demand>> others;
    private final List<Waiter> served;

    /**
     * Of one claim.
     *
     * @param others finds the demands of waiters that came after the claim was made
     */
    HandOut(ClaimCall claim, Function<ClaimCall, List<Demand>> others) {
        this.claim = claim;
        this.others = others;
        this.served = new ArrayList<>(claim.demands.size());
    }

    /** The waiters that were given messages, and workers that were passed over. */
    List<Waiter> served() {
        return served;
    }

    /** Gives each waiter its part, in the order of the line; returns the messages that are left. */
    List<HeldMessage> handOut(List<HeldMessage> messages) {
        List<HeldMessage> rest = offer(claim.demands, messages);
        // A waiter may have left meanwhile, and another may have come.
        return rest.isEmpty() ? rest : offer(others.apply(claim), rest);
    }

    private List<HeldMessage> offer(List<Demand> demands, List<HeldMessage> messages) {
        List<HeldMessage> rest = messages;
        for (Demand demand : demands) {
            rest = offer(demand.waiter(), demand.count(), rest);
        }
        return rest;
    }

    private List<HeldMessage> offer(Waiter waiter, int want, List<HeldMessage> messages) {
        int count = Math.min(want, messages.size());
        if (count == 0) {
            waiter.nothingForYou();
            if (waiter.isWorker()) {
                served.add(waiter);
            }
            return messages;
        }
        boolean taken = waiter.accept(messages.subList(0, count));
        if (taken) {
            served.add(waiter);
        }
        return taken ? messages.subList(count, messages.size()) : messages;
    }

    /** Notifies the waiters that were served and those that were not; then runs a step, whatever they throw. */
    void notifyWaiters(EngineContext context, List<Waiter> unserved, Runnable behind) {
        context.notifyCallers(blocked(served) + blocked(unserved), () -> {
            try {
                served.forEach(Waiter::afterHandOut);
                unserved.forEach(Waiter::queueEmpty);
            } finally {
                behind.run();
            }
        });
    }

    private static int blocked(List<Waiter> waiters) {
        int blocked = 0;
        for (Waiter waiter : waiters) {
            blocked += waiter.blocksThread() ? 1 : 0;
        }
        return blocked;
    }
}
