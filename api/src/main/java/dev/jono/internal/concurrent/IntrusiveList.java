package dev.jono.internal.concurrent;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A linked list whose members are its nodes, so that a member in the middle is removed in constant time and without
 * hashing. Not thread-safe. While it is iterated, only the member that was returned last may be removed.
 *
 * @param <L> the members; each is in one list at most
 */
public final class IntrusiveList<L extends IntrusiveList.Node<L>> implements Iterable<L> {
    private @Nullable L first;
    private @Nullable L last;
    private int size;

    /** The links of a member. */
    public abstract static class Node<L> {
        private @Nullable L before;
        private @Nullable L after;
        private boolean linked;
    }

    /** Adds a member that is in no list at the end. */
    public void add(L member) {
        Node<L> link = member;
        L end = last;
        link.linked = true;
        link.before = end;
        if (end == null) {
            first = member;
        } else {
            ((Node<L>) end).after = member;
        }
        last = member;
        size++;
    }

    /** Removes a member; false if it is in no list. */
    public boolean remove(L member) {
        Node<L> link = member;
        if (!link.linked) {
            return false;
        }
        L before = link.before;
        L after = link.after;
        if (before == null) {
            first = after;
        } else {
            ((Node<L>) before).after = after;
        }
        if (after == null) {
            last = before;
        } else {
            ((Node<L>) after).before = before;
        }
        link.before = null;
        link.after = null;
        link.linked = false;
        size--;
        return true;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    @Override
    public Iterator<L> iterator() {
        return new Iterator<>() {
            private @Nullable L next = first;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public L next() {
                L current = next;
                if (current == null) {
                    throw new NoSuchElementException();
                }
                next = ((Node<L>) current).after;
                return current;
            }
        };
    }
}
