package dev.jono.backend.sqlite;

import dev.jono.spi.OutageLog;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reads the signals of other processes. On Linux and Windows it sleeps until the system reports that the
 * ring was written; on other systems it reads the ring every 20 ms.
 */
final class SignalWatcher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SignalWatcher.class);

    /** The longest time between two checks that the files are in place. */
    private static final long CHECK_MILLIS = 1000;

    /** How long the thread continues without listeners. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long OWN_WRITE_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final SignalHub hub;
    private final BackgroundThread thread;
    private volatile boolean stopped;
    private volatile @Nullable WatchService watch;

    SignalWatcher(SignalHub hub) {
        this.hub = hub;
        this.thread = new BackgroundThread("jono-sqlite-signals", this);
    }

    void start() {
        thread.start();
    }

    /** Ends the thread; returns when it has ended, unless called by itself. */
    void stop() {
        stopped = true;
        closeWatch();
        thread.unpark();
        thread.join();
    }

    @Override
    public void run() {
        try {
            boolean warned = false;
            while (!stopped && !hub.checkDatabaseGone()) {
                try (SignalRing ring = hub.openRing()) {
                    watch = openWatch(hub.ringPath());
                    if (!follow(ring)) {
                        return;
                    }
                } catch (IOException e) {
                    if (!warned) {
                        warned = true;
                        LOG.warn("reading {} failed: signals of other processes are missed", hub.ringPath(), e);
                    }
                    hub.gap();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
                } finally {
                    closeWatch();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            LOG.trace("the watcher of signals ends", e);
        } catch (RuntimeException e) {
            LOG.warn(
                    "reading {} failed: signals of other processes are missed: {}",
                    hub.ringPath(),
                    OutageLog.reason(e));
            LOG.debug("reading {} failed", hub.ringPath(), e);
            hub.gap();
        } finally {
            hub.retireWatcher(this, true);
        }
    }

    /** Reads signals until the ring is replaced (true), or the thread must end (false). */
    private boolean follow(SignalRing ring) throws IOException, InterruptedException {
        // Signals from before the first read may have been missed.
        ring.read(hub);
        hub.gap();
        long now = RealTime.nanos();
        long lastChangeNanos = now;
        long lastCheckNanos = now;
        while (!stopped) {
            boolean unchanged = awaitChange();
            boolean delivered = ring.read(hub);
            now = RealTime.nanos();
            if (!unchanged) {
                lastChangeNanos = now;
                if (!delivered) {
                    // This process wrote. The pause keeps its next writes from waking this thread each time.
                    LockSupport.parkNanos(OWN_WRITE_PAUSE_NANOS);
                }
            } else if (now - lastChangeNanos > LINGER_NANOS) {
                lastChangeNanos = now;
                if (hub.retireWatcher(this, false)) {
                    return false;
                }
            }
            if (now - lastCheckNanos >= TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS) / 2) {
                lastCheckNanos = now;
                if (hub.checkDatabaseGone()) {
                    return false;
                }
                if (!ring.inPlace()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Waits for a change of the ring; true if none was reported in time. */
    private boolean awaitChange() throws InterruptedException, IOException {
        WatchService open = watch;
        if (open == null) {
            LockSupport.parkNanos(POLL_NANOS);
            return true;
        }
        WatchKey key = open.poll(CHECK_MILLIS / 2, TimeUnit.MILLISECONDS);
        if (key == null) {
            return true;
        }
        key.pollEvents();
        if (!key.reset()) {
            throw new IOException("the directory was removed");
        }
        return false;
    }

    /** Watches the directory of a file; null on systems that do not report changes at once. */
    private static @Nullable WatchService openWatch(Path file) {
        String system = System.getProperty("os.name", "");
        Path directory = file.getParent();
        if (directory == null || !(system.startsWith("Linux") || system.startsWith("Windows"))) {
            return null;
        }
        WatchService watch = null;
        try {
            watch = directory.getFileSystem().newWatchService();
            directory.register(watch, StandardWatchEventKinds.ENTRY_MODIFY);
            return watch;
        } catch (IOException e) {
            LOG.warn("watching {} is not possible ({}): it is read every 20 ms", directory, e.getMessage());
            if (watch != null) {
                try {
                    watch.close();
                } catch (IOException again) {
                    LOG.debug("closing a watch failed", again);
                }
            }
            return null;
        }
    }

    private void closeWatch() {
        WatchService open = watch;
        watch = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("closing a watch failed", e);
            }
        }
    }
}
