package dev.jono.internal.wake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches a queue while it has waiters: subscribes to its signals, and keeps its paused flag. Reports to a {@link Listener}, with
 * no lock held. Called by the waiters of the queue, also with their lock held, by the signaller, and by the poller, on their
 * threads. Thread-safe.
 */
public final class QueueWatch implements Signaller.Listener {
    /** How long waiters wait for the paused flag: stats are best effort. */
    static final long STATS_TIMEOUT_NANOS = 2_000_000_000L;

    private final EngineContext context;
    private final QueueSignals signals;
    private final Poller poller;
    private final Poller.Polled queue;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written with the lock held. */
    private volatile State state = State.IDLE;

    @GuardedBy("lock") private long version;

    @GuardedBy("lock") private Signaller.@Nullable Subscription subscription;

    private enum State {
        /** The queue has no waiter, and is not watched. */
        IDLE,
        /** The queue is watched; its paused flag was not read yet. */
        UNKNOWN,
        /** The queue is not paused. */
        OPEN,
        PAUSED
    }

    /** Is notified of changes of the queue. Called on any thread, with no lock of the watch held. */
    public interface Listener {
        /** Messages were inserted, due at this time by the storage's clock. */
        void messagesDue(long dueMillis);

        /** The paused flag was set or cleared, or was read for the first time. */
        void pauseChanged(boolean paused);
    }

    public QueueWatch(
            EngineContext context, QueueSignals signals, Poller poller, Poller.Polled queue, Listener listener) {
        this.context = context;
        this.signals = signals;
        this.poller = poller;
        this.queue = queue;
        this.listener = listener;
    }

    /** Whether the queue has waiters. */
    boolean active() {
        return state != State.IDLE;
    }

    /** Whether claims can be made: the queue is watched, and is not paused. */
    public boolean open() {
        return state == State.OPEN;
    }

    public boolean paused() {
        return state == State.PAUSED;
    }

    /** A number that grows with each change of the flag. A flag that was read is ignored if the number has grown since. */
    public long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** A waiter was added. Returns whether it is the first one: then the caller calls {@link #listen}, without a lock. */
    public boolean begin() {
        lock.lock();
        try {
            if (state != State.IDLE) {
                return false;
            }
            state = State.UNKNOWN;
            version++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The last waiter has ended. The caller closes the returned subscription, without a lock. */
    public Signaller.@Nullable Subscription end() {
        lock.lock();
        try {
            state = State.IDLE;
            Signaller.Subscription ended = subscription;
            subscription = null;
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Subscribes to the signals of the queue, begins to poll it, and reads its paused flag. */
    public void listen() {
        Signaller.Subscription fresh = signals.subscribe(this);
        Signaller.Subscription surplus = fresh;
        long before;
        lock.lock();
        try {
            before = version;
            if (active() && subscription == null) {
                subscription = fresh;
                surplus = null;
            }
        } finally {
            lock.unlock();
        }
        signals.unsubscribe(surplus);
        poller.add(queue);
        JonoClock.Timer limit = context.clock.schedule(STATS_TIMEOUT_NANOS, () -> setAsRead(false, before));
        queue.stats().paused(queue.name()).thenAccept(paused -> {
            limit.cancel();
            setAsRead(paused, before);
        });
    }

    @Override
    public void onSignal(Signal signal) {
        switch (signal.kind()) {
            case INSERTED -> listener.messagesDue(signal.dueMillis());
            case PAUSED -> signalled(true);
            case RESUMED -> signalled(false);
        }
    }

    @Override
    public void onGap() {
        poller.checkPaused(queue, () -> listener.messagesDue(0));
    }

    /**
     * A signal of a pause or a resume. It takes effect at once. Then the flag is read again, because signals of different
     * processes can arrive in another order than they were sent.
     */
    private void signalled(boolean paused) {
        boolean changes = state != (paused ? State.PAUSED : State.OPEN);
        set(paused);
        if (changes) {
            poller.checkPaused(queue);
        }
    }

    /** The flag was set or cleared in the stats: changes it here too, whatever its version is. */
    public void set(boolean paused) {
        lock.lock();
        try {
            if (!active()) {
                return;
            }
            state = paused ? State.PAUSED : State.OPEN;
            version++;
        } finally {
            lock.unlock();
        }
        listener.pauseChanged(paused);
    }

    /**
     * The flag was read from the stats: changes it here, unless a newer change came while it was read.
     *
     * @param before the version before the read
     */
    public void setAsRead(boolean paused, long before) {
        State read = paused ? State.PAUSED : State.OPEN;
        lock.lock();
        try {
            if (before != version || !active() || state == read) {
                return;
            }
            state = read;
            version++;
        } finally {
            lock.unlock();
        }
        listener.pauseChanged(paused);
    }
}
