package dev.jono.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who waits for messages of one queue, in the order of their turns. Guarded by the lock of the {@link Intake}. */
final class WaitingLine implements Iterable<Waiter> {
    private final Chain<Place> places = new Chain<>();

    /** Those of them who look once, in the order of arrival: they are told when there is nothing. */
    private final Chain<Place> lookers = new Chain<>();

    /** Those of them who stay: workers, few beside thousands of others. */
    private final Set<Waiter> stayers = new LinkedHashSet<>();

    private long arrivals;

    /** Where somebody waits. */
    static final class Place extends Chain.Link<Place> {
        private final Waiter waiter;
        private final @Nullable Place amongLookers;
        private final long arrival;

        private Place(Waiter waiter, @Nullable Place amongLookers, long arrival) {
            this.waiter = waiter;
            this.amongLookers = amongLookers;
            this.arrival = arrival;
        }
    }

    void add(Waiter waiter) {
        arrivals++;
        Place look = waiter.looksOnce() ? new Place(waiter, null, arrivals) : null;
        Place place = new Place(waiter, look, arrivals);
        waiter.place = place;
        places.add(place);
        if (look != null) {
            lookers.add(look);
        }
        if (waiter.stays()) {
            stayers.add(waiter);
        }
    }

    /** Does nothing with one who does not wait here. */
    void remove(Waiter waiter) {
        Place place = waiter.place;
        if (place == null || !places.remove(place)) {
            return;
        }
        if (place.amongLookers != null) {
            lookers.remove(place.amongLookers);
        }
        if (waiter.stays()) {
            stayers.remove(waiter);
        }
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    int size() {
        return places.size();
    }

    /** How many have come. */
    long arrivals() {
        return arrivals;
    }

    /** Not to be kept; while it is used, only who was returned last may be removed. */
    @Override
    public Iterator<Waiter> iterator() {
        Iterator<Place> turns = places.iterator();
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

    /** Those who stay; not to be kept. */
    Collection<Waiter> stayers() {
        return Collections.unmodifiableSet(stayers);
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

    /** Those who stay, of some who have had their turns, go to the end, so that those who wait on other terms have theirs. */
    void toTheEnd(List<Want> served) {
        if (stayers.isEmpty()) {
            return;
        }
        for (Want want : served) {
            Place place = want.waiter().place;
            if (want.waiter().stays() && place != null && places.remove(place)) {
                places.add(place);
            }
        }
    }

    /** Those who look once and came no later than this. */
    List<Waiter> lookers(long lastArrival) {
        List<Waiter> some = new ArrayList<>();
        for (Place looker : lookers) {
            if (looker.arrival > lastArrival) {
                break;
            }
            some.add(looker.waiter);
        }
        return some;
    }
}
