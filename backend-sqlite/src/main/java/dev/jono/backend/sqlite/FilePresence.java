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
    static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The database first. */
    private final List<TrackedFile> files;

    private volatile @Nullable String loss;
    private volatile long checkedNanos = REAL.nanos();

    private FilePresence(List<TrackedFile> files) {
        this.files = files;
    }

    /** Notes which files the names of a database, its log and its shared memory lead to now. */
    static FilePresence of(Path database) throws IOException {
        List<TrackedFile> files = new ArrayList<>();
        for (Path path : List.of(database, CompanionFiles.log(database), CompanionFiles.sharedMemory(database))) {
            Object key = NamedFile.key(path);
            if (key != null) {
                files.add(new TrackedFile(path, key));
            }
        }
        return new FilePresence(files);
    }

    /** How many names a file has; 1 where the system does not say. */
    static int linkCount(Path path) throws IOException {
        try {
            return (Integer) Files.getAttribute(path, "unix:nlink");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return 1;
        }
    }

    /** What became of the files; null while all are in their place. Asks the system, unless it did so within a millisecond. */
    @Nullable String checkIfStale() {
        return REAL.nanos() - checkedNanos < VALID_NANOS ? loss : check();
    }

    /** What became of the files; null while all are in their place. Asks the system about each. */
    @Nullable String check() {
        if (loss == null) {
            checkedNanos = REAL.nanos();
            for (TrackedFile file : files) {
                String found = check(file);
                if (found != null) {
                    loss = found;
                    break;
                }
            }
        }
        return loss;
    }

    /** Whether a path leads to the database, whatever its name. */
    boolean isDatabase(Path path) {
        try {
            return !files.isEmpty() && files.get(0).key.equals(NamedFile.key(path));
        } catch (IOException e) {
            return false;
        }
    }

    /** What the last {@link #check} found. */
    @Nullable String loss() {
        return loss;
    }

    private @Nullable String check(TrackedFile file) {
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
