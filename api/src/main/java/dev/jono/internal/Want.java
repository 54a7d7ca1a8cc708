package dev.jono.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** How many messages somebody wants of a claim. */
record Want(Waiter waiter, int count) {
    /** Those of some demands. */
    static Set<Waiter> waiters(List<Want> wants) {
        Set<Waiter> waiters = Collections.newSetFromMap(new IdentityHashMap<>(wants.size()));
        wants.forEach(want -> waiters.add(want.waiter));
        return waiters;
    }
}
