package dev.jono.memory;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a keyed queue that have an ordering key, by key. Of each key, as many messages as may be held at one time
 * are <em>admitted</em>: they can be claimed, or are held. The others are blocked, in the order of insertion.
 *
 * <p>Where one message of a key may be held, the order is strict. Then a message that waits for its due time is admitted too,
 * and blocks the later ones. One holder may have several consecutive messages of a key; these are all admitted. If their
 * leases end, only the first goes back into the order of ready messages.
 *
 * <p>A queue without keys admits every message. Not thread-safe: guarded by the lock of the {@link MessageTable}, which owns the
 * orders.
 */
final class KeyGroups {
    private final int maxPerKey;
    private final PositionOrder leased;
    private final Map<String, Group> groups = new HashMap<>();

    /** The messages of one key, by their sequence numbers. */
    private static final class Group {
        final TreeMap<Long, Entry> admitted = new TreeMap<>();
        final TreeMap<Long, Entry> blocked = new TreeMap<>();

        boolean isEmpty() {
            return admitted.isEmpty() && blocked.isEmpty();
        }
    }

    /**
     * No message yet.
     *
     * @param maxPerKey most messages of a key that are held at one time; 0 if the queue is not keyed
     * @param leased the order of the messages that are held
     */
    KeyGroups(int maxPerKey, PositionOrder leased) {
        this.maxPerKey = maxPerKey;
        this.leased = leased;
    }

    int maxPerKey() {
        return maxPerKey;
    }

    private boolean strict() {
        return maxPerKey == 1;
    }

    private @Nullable Group group(Entry e) {
        return e.key == null ? null : groups.get(e.key);
    }

    /**
     * Admits a message, which then belongs into an order, or blocks it. Later messages that no consumer holds give way to it.
     *
     * @param dueLater whether it waits for its due time
     */
    boolean admit(Entry e, boolean dueLater) {
        if (e.key == null || maxPerKey == 0 || (dueLater && !strict())) {
            return true;
        }
        Group group = groups.computeIfAbsent(e.key, key -> new Group());
        if (group.admitted.containsKey(e.seq)) {
            return true;
        }
        if (group.admitted.size() >= maxPerKey) {
            giveWay(group, e);
        }
        boolean admitted = group.admitted.size() < maxPerKey;
        (admitted ? group.admitted : group.blocked).put(e.seq, e);
        return admitted;
    }

    private void giveWay(Group group, Entry earlier) {
        List<Entry> later =
                List.copyOf(group.admitted.tailMap(earlier.seq, false).values());
        boolean mayEnter = !strict() || later.size() == group.admitted.size();
        if (mayEnter && !later.isEmpty() && later.stream().noneMatch(e -> e.order == leased)) {
            later.forEach(this::block);
        }
    }

    /** Blocks an admitted message, and removes it from its order. */
    void block(Entry e) {
        Group group = group(e);
        if (group != null && group.admitted.remove(e.seq) != null) {
            if (e.order != null) {
                e.order.remove(e);
            }
            group.blocked.put(e.seq, e);
        }
    }

    /** Forgets a message, which leaves the queue or is about to be admitted anew. */
    void leave(Entry e) {
        Group group = group(e);
        if (group != null) {
            group.admitted.remove(e.seq);
            group.blocked.remove(e.seq);
        }
    }

    /** The next message of a key that belongs into an order now; null for none. Forgets a key without messages. */
    @Nullable Entry next(@Nullable String key) {
        Group group = key == null ? null : groups.get(key);
        if (group == null) {
            return null;
        }
        if (group.isEmpty()) {
            groups.remove(key);
            return null;
        }
        if (strict() && !group.admitted.isEmpty()) {
            Entry first = group.admitted.firstEntry().getValue();
            return first.order == null ? first : null;
        }
        Map.Entry<Long, Entry> blocked = group.admitted.size() < maxPerKey ? group.blocked.pollFirstEntry() : null;
        if (blocked == null) {
            return null;
        }
        group.admitted.put(blocked.getKey(), blocked.getValue());
        return blocked.getValue();
    }

    /** The message that follows the admitted ones of the same key, if one holder may have several; null for none. */
    @Nullable Entry following(Entry e) {
        Group group = strict() ? group(e) : null;
        return group == null || group.blocked.isEmpty()
                ? null
                : group.blocked.firstEntry().getValue();
    }

    /** Admits a message that follows others of its key, because it gets the same holder. */
    void admitBeside(Entry following) {
        Group group = group(following);
        if (group != null) {
            group.blocked.remove(following.seq);
            group.admitted.put(following.seq, following);
        }
    }

    /** Whether a message whose lease has ended stays out of the order: an earlier one of its key comes first. */
    boolean isBehindAnother(Entry e) {
        Group group = strict() ? group(e) : null;
        return group != null && group.admitted.firstKey() < e.seq;
    }

    /** The later messages of the same key that share the holder of a message, or its ended lease. */
    List<Entry> admittedBehind(Entry e) {
        Group group = strict() ? group(e) : null;
        return group == null
                ? List.of()
                : List.copyOf(group.admitted.tailMap(e.seq, false).values());
    }

    /** Forgets messages that have left the queue. */
    void forget(Collection<Entry> gone) {
        gone.forEach(this::leave);
        groups.values().removeIf(Group::isEmpty);
    }

    /** How many keys have messages. */
    int size() {
        return groups.size();
    }
}
