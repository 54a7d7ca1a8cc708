package dev.jono.backend.sqlite;

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
 * Checks that the names of the files which SQLite has open still lead to those files. On POSIX systems an open file can
 * be removed or replaced; SQLite then writes into a file that no other process sees. A loss is final, also if the file
 * returns, because other processes may have used another file in between.
 *
 * <p>On Windows there is nothing to check: an open file cannot be removed, renamed or replaced.
 *
 * <p>Thread-safe.
 */
final class FilePresence {
    private record TrackedFile(Path path, Object key) {}

    /** How long the result of a check is used again. A check after each commit would slow down concurrent callers. */
    static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The database first. */
    private final List<TrackedFile> files;

    private volatile @Nullable String loss;
    private volatile long checkedNanos = RealTime.nanos();

    private FilePresence(List<TrackedFile> files) {
        this.files = files;
    }

    /** Records the files to which the names of a database, its log and its shared memory lead now. */
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

    /** The number of hard links of a file; 1 where the system does not report it. */
    static int linkCount(Path path) throws IOException {
        try {
            return (Integer) Files.getAttribute(path, "unix:nlink");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return 1;
        }
    }

    /** As {@link #check}, but uses the last result if it is less than a millisecond old. */
    @Nullable String checkIfStale() {
        return RealTime.nanos() - checkedNanos < VALID_NANOS ? loss : check();
    }

    /** Checks each file. Returns a description of the loss, or null if all files are in place. */
    @Nullable String check() {
        if (loss == null) {
            checkedNanos = RealTime.nanos();
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

    /** Whether a path leads to the database, under any name. */
    boolean isDatabase(Path path) {
        try {
            return !files.isEmpty() && files.get(0).key.equals(NamedFile.key(path));
        } catch (IOException e) {
            return false;
        }
    }

    /** The result of the last {@link #check}: a description of the loss, or null. */
    @Nullable String loss() {
        return loss;
    }

    private @Nullable String check(TrackedFile file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file.path, BasicFileAttributes.class);
            if (!file.key.equals(now.fileKey())) {
                return file.path + " was replaced by another file";
            }
            // An intact database always has a first page.
            return now.size() == 0 && file == files.get(0) ? file.path + " was emptied" : null;
        } catch (NoSuchFileException e) {
            return file.path + " was removed or moved";
        } catch (IOException e) {
            return file.path + " cannot be found (" + e + ")";
        }
    }
}
