package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When waits end. Those that last equally long end in the order in which they began, so one timer, for the first of them,
 * does for all: a timer for each would cost a tenth and more of what a pop under load costs.
 */
public final class SharedTimeouts {
    /** Of so many lengths the timer is kept when nobody waits, for the next one who comes. */
    private static final int KEPT = 16;

    private final JonoClock clock;
    private final ReentrantLock lock;

    /** Guarded by the lock. */
    private final Map<Long, Group> groups = new HashMap<>();

    /** Waits of one length. */
    private static final class Group {
        final long nanos;

        /** In the order in which they end. */
        final IntrusiveList<Limit> ends = new IntrusiveList<>();

        JonoClock.@Nullable Timer timer;

        /** Whether a timer is set, or is being set. */
        boolean armed;

        Group(long nanos) {
            this.nanos = nanos;
        }
    }

    /** Somebody who waits, for so long at most. */
    public abstract static class TimedWaiter {
        /** When its wait ends; guarded by the lock. */
        private @Nullable Limit limit;

        /** How long it waits at most, in nanoseconds; always the same. */
        protected abstract long waitNanos();

        /** So much time has passed since it began. Called without the lock. */
        protected abstract void timedOut();
    }

    /** Until when somebody waits. */
    private static final class Limit extends IntrusiveList.Node<Limit> {
        private final TimedWaiter waiter;
        private final Group group;
        /** By the monotonic clock. */
        private final long endNanos;

        private Limit(TimedWaiter waiter, Group group, long endNanos) {
            this.waiter = waiter;
            this.group = group;
            this.endNanos = endNanos;
        }
    }

    /**
     * No waits.
     *
     * @param lock held where {@link #begin}, {@link #end} and {@link #releaseIdleTimers} are called
     */
    public SharedTimeouts(JonoClock clock, ReentrantLock lock) {
        this.clock = clock;
        this.lock = lock;
    }

    /** Somebody begins to wait. What is returned is to be run when the lock is not held any more. */
    public @Nullable Runnable begin(TimedWaiter waiter) {
        long length = waiter.waitNanos();
        Group group = groups.get(length);
        if (group == null) {
            group = new Group(length);
            groups.put(length, group);
        }
        Limit limit = new Limit(waiter, group, clock.nanos() + length);
        waiter.limit = limit;
        group.ends.add(limit);
        if (group.armed) {
            return null;
        }
        Group own = group;
        own.armed = true;
        return () -> arm(own, length);
    }

    /** Somebody does not wait any more. */
    public void end(TimedWaiter waiter) {
        Limit limit = waiter.limit;
        if (limit == null) {
            return;
        }
        waiter.limit = null;
        Group group = limit.group;
        if (group.ends.remove(limit)
                && group.ends.isEmpty()
                && groups.size() > KEPT
                && groups.get(group.nanos) == group) {
            forget(group);
        }
    }

    /** For a while nobody new will wait: no timer is kept for one. */
    public void releaseIdleTimers() {
        for (Group group : List.copyOf(groups.values())) {
            if (group.ends.isEmpty()) {
                forget(group);
            }
        }
    }

    private void forget(Group group) {
        groups.remove(group.nanos);
        if (group.timer != null) {
            group.timer.cancel();
        }
    }

    private void arm(Group group, long delayNanos) {
        JonoClock.Timer set = clock.schedule(delayNanos, () -> reached(group));
        lock.lock();
        try {
            group.timer = set;
            if (groups.get(group.nanos) != group) {
                set.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    private void reached(Group group) {
        List<Limit> over = new ArrayList<>();
        long next = 0;
        lock.lock();
        try {
            if (groups.get(group.nanos) != group) {
                return;
            }
            long now = clock.nanos();
            for (Limit limit : group.ends) {
                next = limit.endNanos - now;
                if (next > 0) {
                    break;
                }
                over.add(limit);
            }
            over.forEach(group.ends::remove);
            if (group.ends.isEmpty()) {
                groups.remove(group.nanos);
            }
        } finally {
            lock.unlock();
        }
        if (next > 0) {
            arm(group, next);
        }
        over.forEach(limit -> limit.waiter.timedOut());
    }
}
