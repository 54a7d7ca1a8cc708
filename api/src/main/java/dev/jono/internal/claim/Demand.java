package dev.jono.internal.claim;

import java.util.List;

/** How many messages a waiter wants of a claim. */
record Demand(Waiter waiter, int count) {
    /** How many of these waiters get messages if a claim brings this many and none of them has left. */
    static int served(List<Demand> wants, int messages) {
        int served = 0;
        for (int left = messages; left > 0 && served < wants.size(); served++) {
            left -= wants.get(served).count;
        }
        return served;
    }
}
