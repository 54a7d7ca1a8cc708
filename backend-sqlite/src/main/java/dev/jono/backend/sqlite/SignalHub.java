package dev.jono.backend.sqlite;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.spi.OutageLog;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of this process. Signals of this process reach them on the writer's thread; signals of other processes
 * reach them on the thread of a {@link SignalWatcher}, which runs while there are listeners. Any thread subscribes;
 * only the writer publishes.
 */
final class SignalHub implements SignalRing.Sink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SignalHub.class);

    private final Path file;
    private final FilePresence presence;
    private final int origin = SignalRing.newOrigin();
    private final Map<Long, CopyOnWriteArrayList<Registration>> byChannel = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int listeners;

    @GuardedBy("lock") private @Nullable SignalWatcher watcher;

    @GuardedBy("lock") private boolean closed;

    /** The writer's ring; null before the first signal and after a failure. Used by the writer's thread. */
    private @Nullable SignalRing ring;

    private boolean warned;

    SignalHub(Path file, FilePresence presence) {
        this.file = file;
        this.presence = presence;
    }

    Path ringPath() {
        return CompanionFiles.signal(file);
    }

    /** Opens the ring at its end. */
    SignalRing openRing() throws IOException {
        CompanionFiles.createDirectory(file);
        return SignalRing.open(ringPath(), origin);
    }

    /**
     * Whether the database is lost. If so, notifies all listeners of a gap: their waiters then call, and get the error.
     */
    boolean checkDatabaseGone() {
        if (presence.check() == null) {
            return false;
        }
        gap();
        return true;
    }

    /** Publishes signals to this process and to the others. Called by the writer, which has the turn. */
    void publish(List<Announcements.Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        for (Announcements.Entry entry : entries) {
            signal(entry.channel(), entry.signal().kind(), entry.signal().dueMillis());
        }
        try {
            SignalRing open = ring;
            if (open != null && !open.inPlace()) {
                closeRing();
                open = null;
            }
            if (open == null) {
                open = openRing();
                ring = open;
            }
            open.append(entries);
        } catch (IOException | InternalError e) {
            closeRing();
            if (!warned) {
                warned = true;
                LOG.warn(
                        "writing {} failed: other processes find new messages only at their poll interval: {}",
                        ringPath(),
                        OutageLog.reason(e));
            }
        }
    }

    private void closeRing() {
        SignalRing open = ring;
        ring = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("closing {} failed", ringPath(), e);
            }
        }
    }

    Signaller.Subscription subscribe(long channel, String queue, Signaller.Listener listener) {
        Registration listening = new Registration(channel, queue, listener);
        byChannel.compute(channel, (key, all) -> {
            CopyOnWriteArrayList<Registration> list = all == null ? new CopyOnWriteArrayList<>() : all;
            list.add(listening);
            return list;
        });
        lock.lock();
        try {
            listeners++;
            if (watcher == null && !closed) {
                watcher = new SignalWatcher(this);
                watcher.start();
            }
        } finally {
            lock.unlock();
        }
        return () -> unsubscribe(listening);
    }

    private void unsubscribe(Registration listening) {
        if (!listening.end()) {
            return;
        }
        byChannel.computeIfPresent(listening.channel, (key, all) -> {
            all.remove(listening);
            return all.isEmpty() ? null : all;
        });
        lock.lock();
        try {
            listeners--;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the asking watcher must end: it failed, this hub is closed, or there are no listeners. */
    boolean retireWatcher(SignalWatcher asking, boolean broken) {
        lock.lock();
        try {
            if (!closed && !broken && listeners > 0) {
                return false;
            }
            if (watcher == asking) {
                watcher = null;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void signal(long channel, Signal.Kind kind, long dueMillis) {
        List<Registration> all = byChannel.get(channel);
        if (all != null) {
            for (Registration listening : all) {
                listening.notifySignal(kind, dueMillis);
            }
        }
    }

    @Override
    public void gap() {
        byChannel.values().forEach(all -> all.forEach(Registration::notifyGap));
    }

    /** Ends the watcher. The writer has ended. */
    @Override
    public void close() {
        SignalWatcher ending;
        lock.lock();
        try {
            closed = true;
            ending = watcher;
            watcher = null;
        } finally {
            lock.unlock();
        }
        if (ending != null) {
            ending.stop();
        }
        closeRing();
    }

    /** One subscription to the signals of a queue. */
    private static final class Registration {
        private final long channel;
        private final String queue;
        private final Signaller.Listener listener;
        private final AtomicBoolean ended = new AtomicBoolean();

        Registration(long channel, String queue, Signaller.Listener listener) {
            this.channel = channel;
            this.queue = queue;
            this.listener = listener;
        }

        boolean end() {
            return ended.compareAndSet(false, true);
        }

        void notifySignal(Signal.Kind kind, long dueMillis) {
            try {
                listener.onSignal(
                        switch (kind) {
                            case INSERTED -> Signal.inserted(queue, dueMillis);
                            case PAUSED -> Signal.paused(queue);
                            case RESUMED -> Signal.resumed(queue);
                        });
            } catch (RuntimeException e) {
                LOG.warn("a listener to signals of queue '{}' failed", queue, e);
            }
        }

        void notifyGap() {
            try {
                listener.onGap();
            } catch (RuntimeException e) {
                LOG.warn("a listener to signals of queue '{}' failed", queue, e);
            }
        }
    }
}
