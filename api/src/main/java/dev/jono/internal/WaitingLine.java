package dev.jono.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who waits for messages of one queue, in the order of their turns, and how long. Guarded by the lock of the {@link WaitingConsumers}. */
final class WaitingLine implements Iterable<Waiter> {
    private final IntrusiveList<Position> places = new IntrusiveList<>();

    /** Those of them who look once, in the order of arrival: they are told when there is nothing. */
    private final IntrusiveList<Position> lookers = new IntrusiveList<>();

    /** Those of them who stay: workers, few beside thousands of others. */
    private final Set<Waiter> stayers = new LinkedHashSet<>();

    private final SharedTimeouts limits;

    private long arrivals;

    /** How many were asked for their share of a claim that is not handed out yet. */
    private int asked;

    /** Where somebody waits. */
    static final class Position extends IntrusiveList.Node<Position> {
        private final Waiter waiter;
        private final @Nullable Position amongLookers;
        private final long arrival;
        private boolean asked;

        private Position(Waiter waiter, @Nullable Position amongLookers, long arrival) {
            this.waiter = waiter;
            this.amongLookers = amongLookers;
            this.arrival = arrival;
        }
    }

    WaitingLine(SharedTimeouts limits) {
        this.limits = limits;
    }

    /** Adds one. What is returned is to be run when the lock is not held any more. */
    @Nullable Runnable add(Waiter waiter) {
        arrivals++;
        Position look = waiter.looksOnce() ? new Position(waiter, null, arrivals) : null;
        Position place = new Position(waiter, look, arrivals);
        waiter.place = place;
        places.add(place);
        if (look != null) {
            lookers.add(look);
        }
        if (waiter.stays()) {
            stayers.add(waiter);
            return null;
        }
        return limits.begin(waiter);
    }

    /** For a while nobody new will wait. */
    void rest() {
        limits.rest();
    }

    /** Does nothing with one who does not wait here. */
    void remove(Waiter waiter) {
        Position place = waiter.place;
        if (place == null || !places.remove(place)) {
            return;
        }
        if (place.asked) {
            place.asked = false;
            asked--;
        }
        if (place.amongLookers != null) {
            lookers.remove(place.amongLookers);
        }
        if (waiter.stays()) {
            stayers.remove(waiter);
        } else {
            limits.end(waiter);
        }
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    int size() {
        return places.size();
    }

    /** How many are in no claim that is not handed out yet. */
    int unasked() {
        return places.size() - asked;
    }

    /** Whether one who waits here is in such a claim. */
    boolean isAsked(Waiter waiter) {
        Position place = waiter.place;
        return place != null && place.asked;
    }

    /** A claim is made for these, who wait here. */
    void ask(List<Demand> wants) {
        for (Demand want : wants) {
            Position place = want.waiter().place;
            if (place != null && !place.asked) {
                place.asked = true;
                asked++;
            }
        }
    }

    /**
     * Their claim is over; those of them who still wait may be in the next. Those who stay go to the end, so that those who
     * wait on other terms have their turns.
     */
    void answered(List<Demand> wants) {
        for (Demand want : wants) {
            Position place = want.waiter().place;
            if (place != null && place.asked) {
                place.asked = false;
                asked--;
                if (want.waiter().stays() && places.remove(place)) {
                    places.add(place);
                }
            }
        }
    }

    /** How many have come. */
    long arrivals() {
        return arrivals;
    }

    /** Not to be kept; while it is used, only who was returned last may be removed. */
    @Override
    public Iterator<Waiter> iterator() {
        Iterator<Position> turns = places.iterator();
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

    /** All, in the order of their turns. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>(size());
        forEach(all::add);
        return all;
    }

    /** Whether any of them stays. */
    boolean hasStayers() {
        return !stayers.isEmpty();
    }

    /** Those who stay, and are in no claim that is not handed out yet. */
    List<Waiter> unaskedStayers() {
        List<Waiter> unasked = new ArrayList<>(stayers);
        unasked.removeIf(this::isAsked);
        return unasked;
    }

    /** Whether a thread waits for one of them. */
    boolean blocks() {
        for (Waiter waiter : this) {
            if (waiter.blocks()) {
                return true;
            }
        }
        return false;
    }

    /** Removes those who look once, came no later than this, and are in no claim that is not handed out yet. */
    List<Waiter> endLookOnce(long lastArrival) {
        List<Waiter> some = new ArrayList<>();
        for (Position looker : lookers) {
            if (looker.arrival > lastArrival) {
                break;
            }
            if (!isAsked(looker.waiter)) {
                some.add(looker.waiter);
            }
        }
        some.forEach(this::remove);
        return some;
    }
}
