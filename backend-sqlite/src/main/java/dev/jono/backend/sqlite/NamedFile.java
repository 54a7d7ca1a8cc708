package dev.jono.backend.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A path, and the file to which it led when it was opened. Used for the files in the directory next to the database,
 * which can be replaced while a process runs. Used by one thread at a time.
 */
final class NamedFile {
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final @Nullable Object key;
    private long checkedNanos = RealTime.nanos();

    private NamedFile(Path path) throws IOException {
        this.path = path;
        this.key = key(path);
    }

    static NamedFile of(Path path) throws IOException {
        return new NamedFile(path);
    }

    /** The identity of a file, independent of its name: device and inode. Null on systems without one. */
    static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Whether the path still leads to the file. Checked about once a second; true in between. */
    boolean inPlace() {
        long now = RealTime.nanos();
        if (now - checkedNanos < CHECK_NANOS) {
            return true;
        }
        checkedNanos = now;
        try {
            return Objects.equals(key, key(path));
        } catch (IOException e) {
            return false;
        }
    }
}
