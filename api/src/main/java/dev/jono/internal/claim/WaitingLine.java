package dev.jono.internal.claim;

import dev.jono.internal.concurrent.IntrusiveList;
import dev.jono.internal.concurrent.SharedTimeouts;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one queue, in the order of their turns, and their timeouts. Guarded by the lock of the {@link
 * WaitingConsumers}.
 */
final class WaitingLine implements Iterable<Waiter> {
    private final IntrusiveList<Position> positions = new IntrusiveList<>();

    /** The one-shot waiters, in the order of arrival. */
    private final IntrusiveList<Position> oneShots = new IntrusiveList<>();

    /** The workers: few among what may be thousands of waiters. */
    private final Set<Waiter> workers = new LinkedHashSet<>();

    private final SharedTimeouts timeouts;

    private long arrivals;

    /** How many waiters are part of a claim that is not handed out yet. */
    private int inClaim;

    /**
     * What one claim is made for.
     *
     * @param terms of all demands
     * @param each in the order of the turns of their waiters; not empty
     * @param total how many messages the claim is to bring
     */
    record Demands(ClaimTerms terms, List<Demand> each, int total) {}

    /** The position of one waiter. */
    static final class Position extends IntrusiveList.Node<Position> {
        private final Waiter waiter;
        private final @Nullable Position amongOneShots;
        private final long arrival;
        private boolean inClaim;

        private Position(Waiter waiter, @Nullable Position amongLookers, long arrival) {
            this.waiter = waiter;
            this.amongOneShots = amongLookers;
            this.arrival = arrival;
        }
    }

    WaitingLine(SharedTimeouts limits) {
        this.timeouts = limits;
    }

    /** Adds a waiter. The caller runs what this returns after it has released the lock; null for nothing. */
    @Nullable Runnable add(Waiter waiter) {
        arrivals++;
        Position look = waiter.isOneShot() ? new Position(waiter, null, arrivals) : null;
        Position place = new Position(waiter, look, arrivals);
        waiter.position = place;
        positions.add(place);
        if (look != null) {
            oneShots.add(look);
        }
        if (waiter.isWorker()) {
            workers.add(waiter);
            return null;
        }
        return timeouts.begin(waiter);
    }

    /** Cancels the timers that no waiter uses. */
    void releaseIdleTimers() {
        timeouts.releaseIdleTimers();
    }

    /** Removes a waiter; does nothing if it is not in the line. */
    void remove(Waiter waiter) {
        Position place = waiter.position;
        if (place == null || !positions.remove(place)) {
            return;
        }
        if (place.inClaim) {
            place.inClaim = false;
            inClaim--;
        }
        if (place.amongOneShots != null) {
            oneShots.remove(place.amongOneShots);
        }
        if (waiter.isWorker()) {
            workers.remove(waiter);
        } else {
            timeouts.end(waiter);
        }
    }

    boolean isEmpty() {
        return positions.isEmpty();
    }

    int size() {
        return positions.size();
    }

    /** How many waiters are part of no claim that is not handed out yet. */
    int notInClaim() {
        return positions.size() - inClaim;
    }

    /** Whether a waiter of this line is part of such a claim. */
    boolean isInClaim(Waiter waiter) {
        Position place = waiter.position;
        return place != null && place.inClaim;
    }

    /** A claim is made for these waiters of the line. */
    void enterClaim(List<Demand> wants) {
        for (Demand want : wants) {
            Position place = want.waiter().position;
            if (place != null && !place.inClaim) {
                place.inClaim = true;
                inClaim++;
            }
        }
    }

    /**
     * The claim of these waiters is over: those that still wait may be part of the next one. Workers go to the end of the
     * line, so that waiters on other terms get their turns.
     */
    void leaveClaim(List<Demand> wants) {
        for (Demand want : wants) {
            Position place = want.waiter().position;
            if (place != null && place.inClaim) {
                place.inClaim = false;
                inClaim--;
                if (want.waiter().isWorker() && positions.remove(place)) {
                    positions.add(place);
                }
            }
        }
    }

    /**
     * The demands of the first waiter that wants messages and of all others on the same terms; null if none wants any. A
     * waiter whose demand was asked for is part of a claim from now on, and gets an answer.
     *
     * @param max most messages of a claim
     * @param mayClaim whether a claim on these terms may be made now; if not, no waiter is asked
     */
    @Nullable Demands demands(int max, Predicate<ClaimTerms> mayClaim) {
        List<Demand> each = new ArrayList<>();
        ClaimTerms terms = null;
        int total = 0;
        int most = max;
        for (Waiter waiter : this) {
            if (total >= most) {
                break;
            }
            if (isInClaim(waiter) || (terms != null && !terms.equals(waiter.terms()))) {
                continue;
            }
            if (terms == null && !mayClaim.test(waiter.terms())) {
                return null;
            }
            int demand = waiter.demand();
            if (demand > 0) {
                terms = waiter.terms();
                each.add(new Demand(waiter, demand));
                total += demand;
                most = terms.alone() ? 1 : most;
            }
        }
        return terms == null ? null : new Demands(terms, each, Math.min(total, most));
    }

    /** The demands of the waiters that are in no claim, on these terms. */
    List<Demand> demandsOn(ClaimTerms terms) {
        List<Demand> each = new ArrayList<>();
        for (Waiter waiter : this) {
            if (!isInClaim(waiter) && terms.equals(waiter.terms())) {
                int demand = waiter.demand();
                if (demand > 0) {
                    each.add(new Demand(waiter, demand));
                }
            }
        }
        return each;
    }

    /** How many waiters have been added. */
    long arrivals() {
        return arrivals;
    }

    /** In the order of their turns. While it is used, only the waiter that was returned last may be removed. */
    @Override
    public Iterator<Waiter> iterator() {
        Iterator<Position> turns = positions.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return turns.hasNext();
            }

            @Override
            public Waiter next() {
                return turns.next().waiter;
            }
        };
    }

    /** All waiters, in the order of their turns. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>(size());
        forEach(all::add);
        return all;
    }

    /** Whether a worker waits. */
    boolean hasWorkers() {
        return !workers.isEmpty();
    }

    /** The workers that are in no claim that is not handed out yet. */
    List<Waiter> workersNotInClaim() {
        List<Waiter> unasked = new ArrayList<>(workers);
        unasked.removeIf(this::isInClaim);
        return unasked;
    }

    /** Whether a thread is blocked for one of the waiters. */
    boolean anyBlocksThread() {
        for (Waiter waiter : this) {
            if (waiter.blocksThread()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Removes and returns the one-shot waiters that came no later than this and are in no claim that is not handed out yet.
     */
    List<Waiter> removeOneShots(long lastArrival) {
        List<Waiter> some = new ArrayList<>();
        for (Position looker : oneShots) {
            if (looker.arrival > lastArrival) {
                break;
            }
            if (!isInClaim(looker.waiter)) {
                some.add(looker.waiter);
            }
        }
        some.forEach(this::remove);
        return some;
    }
}
