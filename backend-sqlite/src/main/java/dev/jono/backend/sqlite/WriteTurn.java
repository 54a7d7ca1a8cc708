package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fair lock between the processes that write to a file. SQLite's own lock favours a busy process. This one is a queue
 * of two locks, each on one byte of a lock file: the holder of NEXT waits for MAIN, and all others wait for NEXT. The
 * system releases the locks of a process that dies.
 *
 * <p>Used by one thread at a time. A process must open the lock file only once: closing any descriptor of a file
 * releases all locks that the process has on it.
 */
final class WriteTurn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriteTurn.class);
    private static final long MAIN = 0;
    private static final long NEXT = 1;
    /** A shared lock of all processes. Within one process it detects a second copy of this class. */
    private static final long PRESENT = 2;

    private final Path file;
    private final Path lockFile;
    private final SqliteErrors errors;
    private final JonoClock clock;
    private volatile long busyMillis;
    private @Nullable FileChannel channel;
    /** The identity of the file that the channel has open. */
    private @Nullable NamedFile openedFile;

    private @Nullable FileLock mainLock;

    WriteTurn(Path file, JonoClock clock, long busyMillis) {
        this.file = file;
        this.lockFile = CompanionFiles.turn(file);
        this.errors = new SqliteErrors(file);
        this.clock = clock;
        this.busyMillis = busyMillis;
    }

    void busyMillis(long value) {
        busyMillis = value;
    }

    boolean isHeld() {
        return mainLock != null;
    }

    /**
     * Waits for the turn.
     *
     * @throws StorageException if the wait takes longer than {@code jono.busy}
     */
    void acquire() {
        try {
            FileChannel open = openChannel();
            FileLock next = lock(open, NEXT);
            try {
                mainLock = lock(open, MAIN);
            } finally {
                if (open.isOpen()) {
                    next.release();
                }
            }
        } catch (ClosedChannelException e) {
            channel = null;
            // An interrupt closes the channel too. It is cleared, so that the next turn does not fail.
            throw Thread.interrupted() ? errors.turnFailed(e) : errors.turnTimedOut(busyMillis);
        } catch (IOException e) {
            throw errors.turnFailed(e);
        }
    }

    private FileLock lock(FileChannel open, long at) throws IOException {
        FileLock free = open.tryLock(at, 1, false);
        if (free != null) {
            return free;
        }
        // Only a close of the channel ends the wait for a lock.
        JonoClock.Timer limit = clock.schedule(TimeUnit.MILLISECONDS.toNanos(busyMillis), () -> closeQuietly(open));
        try {
            return open.lock(at, 1, false);
        } finally {
            limit.cancel();
        }
    }

    /** Releases the turn for the next process. */
    void release() {
        FileLock lock = mainLock;
        mainLock = null;
        if (lock == null) {
            return;
        }
        try {
            lock.release();
        } catch (IOException e) {
            LOG.warn("releasing the turn in {} failed", lockFile, e);
            close();
        }
    }

    private FileChannel openChannel() throws IOException {
        FileChannel open = channel;
        NamedFile identity = openedFile;
        if (open != null && open.isOpen()) {
            if (identity != null && identity.inPlace()) {
                return open;
            }
            closeQuietly(open);
        }
        CompanionFiles.createDirectory(file);
        open = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            open.lock(PRESENT, 1, true);
        } catch (OverlappingFileLockException e) {
            closeQuietly(open);
            throw new ConfigurationException(
                    file + " is already open in this process, through another class loader: load jono-backend-sqlite"
                            + " only once, in a class loader that all users of the file share",
                    e);
        }
        channel = open;
        openedFile = NamedFile.of(lockFile);
        return open;
    }

    private static void closeQuietly(FileChannel open) {
        try {
            open.close();
        } catch (IOException e) {
            LOG.debug("closing a lock file failed", e);
        }
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        mainLock = null;
        if (open != null) {
            closeQuietly(open);
        }
    }
}
