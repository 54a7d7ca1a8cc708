package dev.jono.internal.concurrent;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A list whose members can leave its middle without being looked for: each is its own link. Of thousands that come and go, a
 * hashed list would ask for the place of each several times. Not thread-safe; while it is iterated, only what was returned
 * last may leave.
 *
 * @param <L> the members; each is in one chain at most
 */
public final class IntrusiveList<L extends IntrusiveList.Node<L>> implements Iterable<L> {
    private @Nullable L first;
    private @Nullable L last;
    private int size;

    /** What a member keeps of its place. */
    public abstract static class Node<L> {
        private @Nullable L before;
        private @Nullable L after;
        private boolean linked;
    }

    /** Puts one at the end that is in no chain. */
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

    /** Takes one out; false if it is in none. */
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
