package dev.jono.memory;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set of entries by {@link Position}. An entry that is greater than the last one, as nearly all are, is
 * appended to a linked list; any other entry is put into a tree. An entry is in one order at a time. Not thread-safe.
 */
final class PositionOrder {
    private final TreeMap<Position, Entry> outOfOrder = new TreeMap<>(Position::compareTo);
    private @Nullable Entry head;
    private @Nullable Entry tail;
    private int size;

    int size() {
        return size;
    }

    void add(Entry entry, long rank) {
        entry.rank = rank;
        entry.order = this;
        size++;
        Entry last = tail;
        if (last == null) {
            head = entry;
        } else if (last.compareTo(entry) < 0) {
            last.next = entry;
            entry.previous = last;
        } else {
            outOfOrder.put(entry, entry);
            return;
        }
        tail = entry;
        entry.linked = true;
    }

    /** The first entry; null if there is none. */
    @Nullable Entry first() {
        Entry inList = head;
        if (outOfOrder.isEmpty()) {
            return inList;
        }
        Entry inTree = outOfOrder.firstEntry().getValue();
        return inList == null || inTree.compareTo(inList) < 0 ? inTree : inList;
    }

    void remove(Entry entry) {
        size--;
        entry.order = null;
        if (!entry.linked) {
            outOfOrder.remove(entry);
            return;
        }
        Entry before = entry.previous;
        Entry after = entry.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        entry.linked = false;
        entry.previous = null;
        entry.next = null;
    }

    /** Removes all entries. They must not be used again. */
    void clear() {
        outOfOrder.clear();
        head = null;
        tail = null;
        size = 0;
    }

    void forEach(Consumer<Entry> action) {
        outOfOrder.values().forEach(action);
        for (Entry entry = head; entry != null; entry = entry.next) {
            action.accept(entry);
        }
    }

    /**
     * Collects candidates for a page. They include the first {@code limit} entries after a position.
     *
     * @param hint the entry at that position, if known; saves the search from the head of the list
     */
    void collectAfter(Position position, @Nullable Entry hint, int limit, List<Entry> candidates) {
        int left = limit;
        for (Entry inTree : outOfOrder.tailMap(position, false).values()) {
            if (left-- == 0) {
                break;
            }
            candidates.add(inTree);
        }
        Entry from = hint != null && hint.linked && hint.order == this && hint.compareTo(position) == 0 ? hint : head;
        left = limit;
        for (Entry entry = from; entry != null && left > 0; entry = entry.next) {
            if (entry.compareTo(position) > 0) {
                candidates.add(entry);
                left--;
            }
        }
    }
}
