package dev.jono.internal.claim;

import java.util.List;

/** How many messages a waiter wants from a claim. Immutable. */
record Demand(Waiter waiter, int count) {
    /** How many of these waiters get messages if a claim brings this many, and all of them still wait. */
    static int served(List<Demand> demands, int messages) {
        int served = 0;
        for (int remaining = messages; remaining > 0 && served < demands.size(); served++) {
            remaining -= demands.get(served).count;
        }
        return served;
    }
}
