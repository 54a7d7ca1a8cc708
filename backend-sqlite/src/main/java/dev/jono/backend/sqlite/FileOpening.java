package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Opens a file, and is the result of opening it. {@link SharedFile} calls the methods with its lock held.
 *
 * @param connection the writer's connection
 * @param turn the turn to write, not held
 * @param presence the check of the files that the connection uses
 * @param latestMillis the latest storage time in the file
 */
record FileOpening(SqliteConnection connection, WriteTurn turn, FilePresence presence, long latestMillis) {
    /** The longest chain of symbolic links. */
    private static final int MAX_LINKS = 40;

    /** How often opening is tried while the file changes. */
    private static final int ATTEMPTS = 3;

    /** Resolves symbolic links. The file at the end need not exist. */
    static Path realPath(Path given) {
        Path path = given.toAbsolutePath();
        try {
            for (int links = 0; Files.isSymbolicLink(path) && links < MAX_LINKS; links++) {
                path = path.resolveSibling(Files.readSymbolicLink(path));
            }
            Path parent = path.getParent();
            Path name = path.getFileName();
            if (parent == null || name == null || Files.isDirectory(path)) {
                throw new ConfigurationException(path + " is a directory: name a file in it");
            }
            if (!Files.isDirectory(parent)) {
                throw new ConfigurationException(
                        "the directory " + parent + " does not exist: create it, or name another");
            }
            return Files.exists(path) ? path.toRealPath() : parent.toRealPath().resolve(name);
        } catch (IOException e) {
            throw new StorageException("finding " + path + " failed: " + e.getMessage(), null, null, e);
        }
    }

    /** Creates a missing file if the options allow it. */
    static void createIfMissing(Path path, Options options) {
        if (Files.exists(path)) {
            return;
        }
        if (!options.create()) {
            throw new ConfigurationException(
                    path + " does not exist, and is not made (jono.create=false): check the path");
        }
        boolean leftover = hasLogOrSharedMemory(path);
        // Another process may have created it in between.
        if (leftover && Files.notExists(path)) {
            throw databaseMissing(path);
        }
        try {
            SqliteConnection.create(path).close();
        } catch (SQLException e) {
            throw new SqliteErrors(path).notApplied(e);
        }
    }

    /** Whether SQLite's log or shared memory exists, as it does while a process has the file open, or after a kill. */
    private static boolean hasLogOrSharedMemory(Path path) {
        return Files.exists(CompanionFiles.log(path)) || Files.exists(CompanionFiles.sharedMemory(path));
    }

    private static ConfigurationException databaseMissing(Path path) {
        return new ConfigurationException(path + " is missing or empty, but " + path.getFileName() + "-wal or "
                + path.getFileName() + "-shm of an earlier file exists: restore that file, or stop all its"
                + " processes and remove these files too");
    }

    /** Refuses a file with a second name: SQLite's log is next to one name, and is not found under the other. */
    static void refuseHardLinks(Path path) {
        try {
            int names = FilePresence.linkCount(path);
            if (names > 1) {
                throw new ConfigurationException(path + " has " + names + " names (hard links), and a change under one"
                        + " name is not visible under another: remove all but one. 'find -samefile " + path
                        + "' lists them");
            }
        } catch (IOException e) {
            throw new StorageException("finding " + path + " failed: " + e.getMessage(), null, null, e);
        }
    }

    /** Opens an existing file that this process has not open. */
    static FileOpening open(Path path, Options options, JonoClock clock) {
        try {
            refuseOpenElsewhere(path, options.busyMillis());
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                Object before = NamedFile.key(path);
                FileOpening opening = openWithReserve(path, options, clock);
                // A union file system may copy the file when it is first opened for writing; the copy has a new key.
                if (Objects.equals(before, NamedFile.key(path))) {
                    return opening;
                }
                opening.close();
            }
            throw new StorageException(
                    path + " was replaced while it was being opened, and nothing was done: find what replaces it, then"
                            + " try again",
                    null,
                    null,
                    null);
        } catch (SQLException e) {
            throw new SqliteErrors(path).notApplied(e);
        } catch (IOException e) {
            throw new StorageException("opening " + path + " failed: " + e, null, null, e);
        }
    }

    /** Opens the file; on a full disk, releases the reserved space and tries again. */
    private static FileOpening openWithReserve(Path path, Options options, JonoClock clock)
            throws SQLException, IOException {
        try {
            return openOnce(path, options, clock);
        } catch (SQLException e) {
            if (!SqliteErrors.isFull(e) || !new DiskReserve(path).release()) {
                throw e;
            }
            return openOnce(path, options, clock);
        }
    }

    private static FileOpening openOnce(Path path, Options options, JonoClock clock) throws SQLException, IOException {
        WriteTurn turn = new WriteTurn(path, clock, options.busyMillis());
        SqliteConnection connection = null;
        boolean opened = false;
        try {
            connection = SqliteConnection.open(path, options.busyMillis());
            Schema.refuseForeign(connection, path);
            turn.acquire();
            Schema.prepare(connection, path);
            configure(connection, options.fullDurability());
            long latestMillis = updateClock(connection, clock);
            turn.release();
            FileOpening opening = new FileOpening(connection, turn, FilePresence.of(path), latestMillis);
            opened = true;
            return opening;
        } finally {
            if (!opened) {
                turn.close();
                if (connection != null) {
                    connection.close();
                }
            }
        }
    }

    /**
     * Refuses a file that another process has open under another name, or whose log was removed while it was open: a
     * file that is open has a log, and a file without one can be locked exclusively. Also refuses an empty file with
     * the log of an earlier file, which SQLite would apply to the new one.
     */
    private static void refuseOpenElsewhere(Path path, long busyMillis) throws SQLException, IOException {
        Path log = CompanionFiles.log(path);
        // The order matters: a process that creates a file writes to it before the log exists.
        boolean logged = Files.exists(log);
        boolean leftover = hasLogOrSharedMemory(path);
        boolean empty = Files.size(path) == 0;
        if (leftover && empty) {
            throw databaseMissing(path);
        }
        if (logged || empty) {
            return;
        }
        try (SqliteConnection probe = SqliteConnection.open(path, busyMillis)) {
            probe.queryText("PRAGMA locking_mode=EXCLUSIVE");
            probe.queryNumber("SELECT count(*) FROM sqlite_schema");
        } catch (SQLException e) {
            // Any other error is reported when the file is opened.
            if (SqliteErrors.isBusy(e) && Files.notExists(log)) {
                throw new StorageException(
                        path + " is open in another process, but " + log + " does not exist, and nothing was done: use"
                                + " one name for the file everywhere (share its directory, not the file alone); if the"
                                + " log was removed, stop all processes of the file first",
                        null,
                        null,
                        e);
            }
        }
    }

    private static void configure(SqliteConnection connection, boolean full) throws SQLException {
        connection.executeOnce("PRAGMA synchronous=" + (full ? "FULL" : "NORMAL"));
        connection.executeOnce("PRAGMA cache_size=-32768");
        connection.executeOnce("PRAGMA temp_store=MEMORY");
        connection.queryText("PRAGMA wal_autocheckpoint=1000");
        connection.queryText("PRAGMA journal_size_limit=67108864");
    }

    /** Updates the time in the file, which detects a file that is not writable; returns the latest storage time. */
    private static long updateClock(SqliteConnection connection, JonoClock clock) throws SQLException {
        connection.execute(Sql.BEGIN);
        PreparedStatement update = connection.prepare(Sql.UPDATE_CLOCK);
        update.setLong(1, clock.wallMillis());
        update.executeUpdate();
        long latestMillis = connection.queryNumber("SELECT value FROM meta WHERE key='clock'");
        connection.execute(Sql.COMMIT);
        return latestMillis;
    }

    void close() {
        turn.close();
        connection.close();
    }
}
