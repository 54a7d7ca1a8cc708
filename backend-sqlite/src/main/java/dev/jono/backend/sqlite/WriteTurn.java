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
 * Whose turn it is to write, among the processes of a file. SQLite's own waiting is a lottery that a busy process
 * wins; this is a queue of two places, each the lock of one byte: who holds NEXT waits for MAIN, and all others wait
 * for NEXT. The system drops the locks of a process that dies.
 *
 * <p>Used by one thread at a time. The lock file is opened once per process: closing any descriptor of a file drops
 * all locks that the process has on it.
 */
final class WriteTurn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriteTurn.class);
    private static final long MAIN = 0;
    private static final long NEXT = 1;
    /** Shared by all processes; within one it shows that a second copy of this class is at work. */
    private static final long PRESENT = 2;

    private final Path file;
    private final Path lockFile;
    private final SqliteErrors errors;
    private final JonoClock clock;
    private volatile long busyMillis;
    private @Nullable FileChannel channel;
    /** The file behind the channel. */
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
     * @throws StorageException if it does not come within the time for that
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
            // Nobody interrupts this thread; if somebody did, the next turn must not fail for it.
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
        // Only closing the channel ends a wait for a lock.
        JonoClock.Timer limit = clock.schedule(TimeUnit.MILLISECONDS.toNanos(busyMillis), () -> closeQuietly(open));
        try {
            return open.lock(at, 1, false);
        } finally {
            limit.cancel();
        }
    }

    /** Lets the next process have its turn. */
    void release() {
        FileLock held = mainLock;
        mainLock = null;
        if (held == null) {
            return;
        }
        try {
            held.release();
        } catch (IOException e) {
            LOG.warn("giving back the turn in {} failed", lockFile, e);
            close();
        }
    }

    private FileChannel openChannel() throws IOException {
        FileChannel open = channel;
        NamedFile known = openedFile;
        if (open != null && open.isOpen()) {
            if (known != null && known.inPlace()) {
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
                    file + " is open in this process already, through another class loader: load jono-backend-sqlite"
                            + " once, where all who use the file see it",
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
