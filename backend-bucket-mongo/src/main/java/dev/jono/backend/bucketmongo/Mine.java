package dev.jono.backend.bucketmongo;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reservations of one bucket that are still their holder's. Not thread-safe. */
final class Mine {
    private final Map<Long, BitSet> byToken = new LinkedHashMap<>();
    private final Map<Integer, Integer> items = new HashMap<>();

    /** Returns which item of the request is the same reservation; null if none is. */
    @Nullable Integer add(int item, Spot.Right right) {
        byToken.computeIfAbsent(right.token(), token -> new BitSet())
                .set(right.spot().slot());
        return items.putIfAbsent(right.spot().slot(), item);
    }

    /** Slots, by their claim. */
    Map<Long, BitSet> byToken() {
        return byToken;
    }

    /** The places in the request, by slot. */
    Map<Integer, Integer> items() {
        return items;
    }

    BitSet slots() {
        BitSet all = new BitSet();
        byToken.values().forEach(all::or);
        return all;
    }
}
