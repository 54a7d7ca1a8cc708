package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A name, and the file that it led to when it was opened: one of those beside the database, which can be made anew.
 * Used by one thread at a time.
 */
final class NamedFile {
    /** Not the factory's clock, which may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    private final @Nullable Object key;
    private long checkedNanos = REAL.nanos();

    private NamedFile(Path path) throws IOException {
        this.path = path;
        this.key = key(path);
    }

    static NamedFile of(Path path) throws IOException {
        return new NamedFile(path);
    }

    /** What the system calls a file, whatever its name: device and inode. Null where it has no such thing. */
    static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Whether the name still leads to the file. Asks the system about once a second. */
    boolean inPlace() {
        long now = REAL.nanos();
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
