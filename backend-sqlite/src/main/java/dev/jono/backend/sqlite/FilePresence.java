package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether the names of the files that SQLite has open still lead to them. A file that is open can be removed or
 * replaced on POSIX systems: SQLite then writes into one that no other process sees. What was lost once stays lost,
 * also when the file comes back, because others may have used another one meanwhile.
 *
 * <p>Windows lets nobody remove, rename or replace a file that SQLite has open, and gives files no key: there is
 * nothing to look at.
 *
 * <p>Thread-safe.
 */
final class FilePresence {
    private record TrackedFile(Path path, Object key) {}

    /** Not the factory's clock, which may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    /**
     * What was seen so short a time ago is taken for true. To ask after each commit takes a fifth of what 64 callers can
     * store in a second.
     */
    static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The database first. */
    private final List<TrackedFile> files;

    private volatile @Nullable String lost;
    private volatile long lookedNanos = REAL.nanos();

    private FilePresence(List<TrackedFile> files) {
        this.files = files;
    }

    /** Notes which files the names of a database, its log and its shared memory lead to now. */
    static FilePresence of(Path database) throws IOException {
        List<TrackedFile> files = new ArrayList<>();
        for (Path path : List.of(database, log(database), sharedMemory(database))) {
            Object key = NamedFile.key(path);
            if (key != null) {
                files.add(new TrackedFile(path, key));
            }
        }
        return new FilePresence(files);
    }

    /** SQLite's write-ahead log of a database. */
    static Path log(Path database) {
        return beside(database, "-wal");
    }

    /** What the processes of a database share to find their way in its log. */
    static Path sharedMemory(Path database) {
        return beside(database, "-shm");
    }

    private static Path beside(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    /** How many names a file has; 1 where the system does not say. */
    static int names(Path path) throws IOException {
        try {
            return (Integer) Files.getAttribute(path, "unix:nlink");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return 1;
        }
    }

    /** What became of the files; null while all are in their place. Asks the system, unless it did so within a millisecond. */
    @Nullable String lookIfOld() {
        return REAL.nanos() - lookedNanos < RECENT_NANOS ? lost : look();
    }

    /** What became of the files; null while all are in their place. Asks the system about each. */
    @Nullable String look() {
        if (lost == null) {
            lookedNanos = REAL.nanos();
            for (TrackedFile file : files) {
                String found = look(file);
                if (found != null) {
                    lost = found;
                    break;
                }
            }
        }
        return lost;
    }

    /** Whether a path leads to the database, whatever its name. */
    boolean isOf(Path path) {
        try {
            return !files.isEmpty() && files.get(0).key.equals(NamedFile.key(path));
        } catch (IOException e) {
            return false;
        }
    }

    /** What the last {@link #look} found. */
    @Nullable String lost() {
        return lost;
    }

    private @Nullable String look(TrackedFile file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file.path, BasicFileAttributes.class);
            if (!file.key.equals(now.fileKey())) {
                return file.path + " was replaced by another file";
            }
            // A database has a first page from the start, and keeps it.
            return now.size() == 0 && file == files.get(0) ? file.path + " was emptied" : null;
        } catch (NoSuchFileException e) {
            return file.path + " was removed or moved";
        } catch (IOException e) {
            return file.path + " cannot be found any more (" + e + ")";
        }
    }
}
