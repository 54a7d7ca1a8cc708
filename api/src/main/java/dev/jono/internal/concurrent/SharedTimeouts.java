package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts of waiters. Waits of equal length end in the order in which they begin, so one timer, set for the first, serves
 * all of them. Guarded by a lock that the caller supplies; timeouts are reported on the thread of the clock.
 */
public final class SharedTimeouts {
    /** For this many lengths the timer is kept when no waiter is left, for the next one. */
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

    /** A waiter with a longest wait. */
    public abstract static class TimedWaiter {
        /** When its wait ends; guarded by the lock. */
        private @Nullable Limit limit;

        /** Its longest wait in nanoseconds; always the same. */
        protected abstract long waitNanos();

        /** The time is over. Called without the lock. */
        protected abstract void timedOut();
    }

    /** When the wait of one waiter ends. */
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
     * No waiter yet.
     *
     * @param lock is held by callers of {@link #begin}, {@link #end} and {@link #releaseIdleTimers}
     */
    public SharedTimeouts(JonoClock clock, ReentrantLock lock) {
        this.clock = clock;
        this.lock = lock;
    }

    /** A waiter begins to wait. The caller runs what this returns after it has released the lock; null for nothing. */
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

    /** A waiter does not wait any more. */
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

    /** Cancels the timers that no waiter uses. */
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
