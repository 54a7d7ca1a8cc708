package dev.jono.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who waits for messages of one queue. Guarded by the lock of the {@link Intake}. */
final class WaitingLine {
    /** In the order of their turns, with the numbers of their arrival. */
    private final Map<Waiter, Long> waiters = new LinkedHashMap<>();

    /** Those of them who look once, in the order of arrival: they are told when there is nothing. */
    private final Map<Waiter, Long> lookers = new LinkedHashMap<>();

    /** Those of them who stay: workers, few beside thousands of others. */
    private final Set<Waiter> stayers = new LinkedHashSet<>();

    private long arrivals;

    void add(Waiter waiter) {
        waiters.put(waiter, ++arrivals);
        if (waiter.stays()) {
            stayers.add(waiter);
        }
        if (waiter.looksOnce()) {
            lookers.put(waiter, arrivals);
        }
    }

    void remove(Waiter waiter) {
        lookers.remove(waiter);
        stayers.remove(waiter);
        waiters.remove(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    /** How many have come. */
    long arrivals() {
        return arrivals;
    }

    /** All, in the order of their turns; not to be kept. */
    Collection<Waiter> inTurn() {
        return Collections.unmodifiableSet(waiters.keySet());
    }

    /** All, in the order of their turns. */
    List<Waiter> all() {
        return List.copyOf(waiters.keySet());
    }

    /** Those who stay; not to be kept. */
    Collection<Waiter> stayers() {
        return Collections.unmodifiableSet(stayers);
    }

    /** Those who have had their turns go to the end, so that those who wait on other terms have theirs. */
    void toTheEnd(Collection<Waiter> served) {
        for (Waiter waiter : served) {
            Long arrival = waiter.stays() ? waiters.remove(waiter) : null;
            if (arrival != null) {
                waiters.put(waiter, arrival);
            }
        }
    }

    /** Those who look once and came no later than this. */
    List<Waiter> lookers(long lastArrival) {
        List<Waiter> some = new ArrayList<>();
        for (Map.Entry<Waiter, Long> looker : lookers.entrySet()) {
            if (looker.getValue() > lastArrival) {
                break;
            }
            some.add(looker.getKey());
        }
        return some;
    }
}
