package dev.jono.internal.claim;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The waiters of one queue, in the order of their turns. Guarded by the lock of the {@link WaitingConsumers}. */
final class WaitingLine {
    private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

    /** The one-shot waiters, in the order of arrival. */
    private final LinkedHashSet<Waiter> oneShots = new LinkedHashSet<>();

    /** The workers: few among what may be thousands of waiters. */
    private final LinkedHashSet<Waiter> workers = new LinkedHashSet<>();

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

    /** Adds a waiter. */
    void add(Waiter waiter) {
        waiter.arrival = ++arrivals;
        waiters.add(waiter);
        if (waiter.isOneShot()) {
            oneShots.add(waiter);
        }
        if (waiter.isWorker()) {
            workers.add(waiter);
        }
    }

    /** Removes a waiter; does nothing if it is not in the line. */
    void remove(Waiter waiter) {
        if (waiters.remove(waiter)) {
            oneShots.remove(waiter);
            workers.remove(waiter);
            leaveClaim(waiter);
        }
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** How many waiters are part of no claim that is not handed out yet. */
    int notInClaim() {
        return waiters.size() - inClaim;
    }

    /** A claim is made for these waiters of the line. */
    void enterClaim(List<Demand> demands) {
        for (Demand demand : demands) {
            Waiter waiter = demand.waiter();
            if (!waiter.inClaim && waiters.contains(waiter)) {
                waiter.inClaim = true;
                inClaim++;
            }
        }
    }

    /**
     * The claim of these waiters is over: those that still wait may be part of the next one. Workers go to the end of the
     * line, so that waiters on other terms get their turns.
     */
    void leaveClaim(List<Demand> demands) {
        for (Demand demand : demands) {
            Waiter waiter = demand.waiter();
            if (leaveClaim(waiter) && waiter.isWorker() && waiters.remove(waiter)) {
                waiters.add(waiter);
            }
        }
    }

    private boolean leaveClaim(Waiter waiter) {
        boolean left = waiter.inClaim;
        waiter.inClaim = false;
        inClaim -= left ? 1 : 0;
        return left;
    }

    /**
     * The demands of the first waiter that wants messages and of all others on the same terms; null if none wants any. A
     * waiter whose demand was asked for is part of a claim from now on, and gets an answer.
     *
     * @param max the maximum number of messages of a claim
     * @param mayClaim whether a claim on these terms may be made now; if not, no waiter is asked
     */
    @Nullable Demands demands(int max, Predicate<ClaimTerms> mayClaim) {
        List<Demand> each = new ArrayList<>();
        ClaimTerms terms = null;
        int total = 0;
        int limit = max;
        for (Waiter waiter : waiters) {
            if (total >= limit) {
                break;
            }
            if (waiter.inClaim || (terms != null && !terms.equals(waiter.terms()))) {
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
                limit = terms.alone() ? 1 : terms.shared() ? limit : Math.min(limit, demand);
            }
        }
        return terms == null ? null : new Demands(terms, each, Math.min(total, limit));
    }

    /** The demands of the waiters that are in no claim, on these terms. */
    List<Demand> demandsOn(ClaimTerms terms) {
        List<Demand> each = new ArrayList<>();
        for (Waiter waiter : waiters) {
            if (!waiter.inClaim && terms.equals(waiter.terms())) {
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

    /** All waiters, in the order of their turns. */
    List<Waiter> all() {
        return new ArrayList<>(waiters);
    }

    /** Whether a worker waits. */
    boolean hasWorkers() {
        return !workers.isEmpty();
    }

    /** The workers that are in no claim that is not handed out yet. */
    List<Waiter> workersNotInClaim() {
        return workers.stream().filter(worker -> !worker.inClaim).toList();
    }

    /** Whether a thread is blocked for one of the waiters. */
    boolean anyBlockedThread() {
        return waiters.stream().anyMatch(Waiter::hasBlockedThread);
    }

    /**
     * Removes and returns the one-shot waiters that came no later than this and are in no claim that is not handed out yet.
     */
    List<Waiter> removeOneShots(long lastArrival) {
        List<Waiter> removed = new ArrayList<>();
        for (Waiter waiter : oneShots) {
            if (waiter.arrival > lastArrival) {
                break;
            }
            if (!waiter.inClaim) {
                removed.add(waiter);
            }
        }
        removed.forEach(this::remove);
        return removed;
    }
}
