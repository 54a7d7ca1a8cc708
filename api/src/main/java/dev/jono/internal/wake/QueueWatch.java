package dev.jono.internal.wake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches a queue while it has waiters: listens to its signals, and keeps its paused flag. Reports to a {@link Listener},
 * with no lock held. Called by the waiters of the queue, the signaller and the poller. Thread-safe.
 */
public final class QueueWatch implements Signaller.Listener {
    static final long STATS_PATIENCE_NANOS = 2_000_000_000L;

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
        /** There is no waiter: it does not listen. */
        IDLE,
        /** It listens; the paused flag was not read yet. */
        UNKNOWN,
        OPEN,
        PAUSED
    }

    /** Learns what happens to the queue. Called on any thread, with no lock of the watch held. */
    public interface Listener {
        /** Messages came in, due at this time by the storage's clock. */
        void messagesDue(long dueMillis);

        /** The paused flag was set or cleared, or is known now. */
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

    boolean active() {
        return state != State.IDLE;
    }

    /** Whether claims may start. */
    public boolean open() {
        return state == State.OPEN;
    }

    public boolean paused() {
        return state == State.PAUSED;
    }

    /** Changes whenever the flag is set or cleared: a reading that began before a change is ignored. */
    public long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** A waiter came. Returns whether it is the first: then the caller calls {@link #listen}. */
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

    /** The last waiter has left. The caller closes the returned subscription without a lock. */
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

    public void listen() {
        Signaller.Subscription fresh = signals.subscribe(this);
        Signaller.Subscription surplus = fresh;
        long begun;
        lock.lock();
        try {
            begun = version;
            if (active() && subscription == null) {
                subscription = fresh;
                surplus = null;
            }
        } finally {
            lock.unlock();
        }
        signals.unsubscribe(surplus);
        poller.add(queue);
        // Stats are best effort: waiters do not wait long for them.
        JonoClock.Timer limit = context.clock.schedule(STATS_PATIENCE_NANOS, () -> read(false, begun));
        queue.stats().paused(queue.name()).thenAccept(paused -> {
            limit.cancel();
            read(paused, begun);
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
     * Signals of different processes may arrive in another order than they were sent. So a change takes effect at once, and
     * the flag is read again.
     */
    private void signalled(boolean paused) {
        boolean news = state != (paused ? State.PAUSED : State.OPEN);
        set(paused);
        if (news) {
            poller.checkPaused(queue);
        }
    }

    /** The flag was set or cleared. */
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

    /** The flag was read, and the reading began at this version. */
    public void read(boolean paused, long begun) {
        State read = paused ? State.PAUSED : State.OPEN;
        lock.lock();
        try {
            if (begun != version || !active() || state == read) {
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
