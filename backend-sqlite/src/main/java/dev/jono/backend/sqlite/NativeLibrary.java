package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library, which the driver unpacks from its jar. It is unpacked into a new folder that only this
 * user can write to, and deleted as soon as it is loaded, so a killed process leaves no copy. Windows cannot delete a
 * library that is in use; there, a later start deletes the folder. Thread-safe.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    /** The driver's option for the folder into which it unpacks the library. */
    private static final String FOLDER = "org.sqlite.tmpdir";
    /** The driver's option for the folder of an unpacked library. */
    private static final String UNPACKED = "org.sqlite.lib.path";

    private static final String PREFIX = "jono-sqlite-lib";
    /** A folder of this age belongs to no process that is still loading the library. */
    private static final Duration OLD = Duration.ofHours(1);

    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    private static final ReentrantLock LOCK = new ReentrantLock();

    private static volatile boolean loaded;

    private NativeLibrary() {}

    /**
     * Loads the library at the first call.
     *
     * @throws ConfigurationException if it cannot be unpacked or loaded
     */
    static void load() {
        if (!loaded) {
            loadFirst();
        }
    }

    private static void loadFirst() {
        LOCK.lock();
        try {
            if (!loaded) {
                unpackAndLoad();
                loaded = true;
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void unpackAndLoad() {
        if (System.getProperty(UNPACKED) != null) {
            initialize(System.getProperty(UNPACKED));
        } else {
            String configured = System.getProperty(FOLDER);
            Path parent = Path.of(configured != null ? configured : System.getProperty("java.io.tmpdir"));
            Path own = null;
            try {
                own = Files.createTempDirectory(parent, PREFIX);
                refuseNoexec(own);
                System.setProperty(FOLDER, own.toString());
                initialize(own.toString());
                deleteLeftovers(parent, own);
            } catch (IOException e) {
                throw failure("cannot be unpacked into " + parent, e);
            } finally {
                restore(configured);
                delete(own);
            }
        }
    }

    private static void initialize(String where) {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception e) {
            throw failure("cannot be loaded from " + where, e);
        }
    }

    private static void restore(@Nullable String configured) {
        if (configured == null) {
            System.clearProperty(FOLDER);
        } else {
            System.setProperty(FOLDER, configured);
        }
    }

    private static ConfigurationException failure(String what, @Nullable Exception cause) {
        return new ConfigurationException(
                "SQLite's native library " + what + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + ": name a folder that is writable and not mounted noexec with -D" + FOLDER
                        + "=/path/to/folder",
                cause);
    }

    /** Fails with the cause; the driver would log two stack traces without it. */
    private static void refuseNoexec(Path folder) throws IOException {
        if (Files.isReadable(MOUNTS) && noexec(Files.readAllLines(MOUNTS), folder.toRealPath())) {
            throw failure("cannot be loaded from " + folder.getParent() + ", which is mounted noexec", null);
        }
    }

    /** Whether a folder is mounted {@code noexec}. The innermost mount decides; of equal ones, the last line. */
    static boolean noexec(List<String> mounts, Path folder) {
        int depth = -1;
        boolean noexec = false;
        for (String line : mounts) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 3) {
                Path mountPoint = Path.of(fields[1].replace("\\040", " "));
                if (folder.startsWith(mountPoint) && mountPoint.getNameCount() >= depth) {
                    depth = mountPoint.getNameCount();
                    noexec = List.of(fields[3].split(",", -1)).contains("noexec");
                }
            }
        }
        return noexec;
    }

    /** Deletes the folders that earlier processes of this user could not delete. */
    private static void deleteLeftovers(Path parent, Path own) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            Instant old = Files.getLastModifiedTime(own).toInstant().minus(OLD);
            for (Path folder : all) {
                // No links, and no folders of other users, who could replace them in between.
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))
                        && Files.getLastModifiedTime(folder).toInstant().isBefore(old)) {
                    delete(folder);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("deleting old libraries in {} failed", parent, e);
        }
    }

    private static void delete(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.debug("deleting {} failed", folder, e);
        }
    }
}
