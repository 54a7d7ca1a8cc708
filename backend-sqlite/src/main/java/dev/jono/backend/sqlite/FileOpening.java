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
 * What opening a file gives.
 *
 * @param connection the writer's connection
 * @param turn the turn to write, not held
 * @param presence of the files that the connection uses
 * @param latestMillis the latest storage time in the file
 */
record FileOpening(SqliteConnection connection, WriteTurn turn, FilePresence presence, long latestMillis) {
    private static final String UPDATE_CLOCK = "UPDATE meta SET value=max(value, ?) WHERE key='clock'";

    /** The most symbolic links that lead from one to the next. */
    private static final int MAX_LINKS = 40;

    /** How often a file that changes while it is opened is opened anew. */
    private static final int ATTEMPTS = 3;

    /** Where a path leads, through symbolic links; the last file need not exist. */
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
                        "the directory " + parent + " does not exist: make it, or name another");
            }
            return Files.exists(path) ? path.toRealPath() : parent.toRealPath().resolve(name);
        } catch (IOException e) {
            throw new StorageException("finding " + path + " failed: " + e.getMessage(), null, null, e);
        }
    }

    /** Makes the file if it is not there and the options allow it. */
    static void createIfMissing(Path path, Options options) {
        if (Files.exists(path)) {
            return;
        }
        if (!options.create()) {
            throw new ConfigurationException(
                    path + " does not exist, and is not made (jono.create=false): check the path");
        }
        boolean stray = hasLogOrSharedMemory(path);
        // Another process may have made it meanwhile.
        if (stray && Files.notExists(path)) {
            throw databaseMissing(path);
        }
        try {
            SqliteConnection.create(path).close();
        } catch (SQLException e) {
            throw new SqliteErrors(path).notApplied(e);
        }
    }

    /** Whether there is what SQLite keeps beside a database while a process has it open, or was killed. */
    private static boolean hasLogOrSharedMemory(Path path) {
        return Files.exists(CompanionFiles.log(path)) || Files.exists(CompanionFiles.sharedMemory(path));
    }

    private static ConfigurationException databaseMissing(Path path) {
        return new ConfigurationException(path + " is missing or empty, but " + path.getFileName() + "-wal or "
                + path.getFileName() + "-shm of an earlier file is there: bring that file back, or stop all its"
                + " processes and remove these, too");
    }

    /** Refuses a file with a second name: SQLite's log stands beside one of them, and is not found from the other. */
    static void refuseHardLinks(Path path) {
        try {
            int names = FilePresence.linkCount(path);
            if (names > 1) {
                throw new ConfigurationException(path + " has " + names + " names (hard links), and what is written"
                        + " under one is not seen under another: remove all but one. 'find -samefile " + path
                        + "' finds them");
            }
        } catch (IOException e) {
            throw new StorageException("finding " + path + " failed: " + e.getMessage(), null, null, e);
        }
    }

    /** Opens a file that exists and that this process has not open. */
    static FileOpening open(Path path, Options options, JonoClock clock) {
        try {
            refuseOpenElsewhere(path, options.busyMillis());
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                Object before = NamedFile.key(path);
                FileOpening opening = openWithReserve(path, options, clock);
                // A union file system may copy the file when it is first opened for writing, and give it a new key.
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

    /** Opens the file, and gives up the reserve for it if need be. */
    private static FileOpening openWithReserve(Path path, Options options, JonoClock clock) throws SQLException, IOException {
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
     * Refuses a file that another process has open under another name, or whose log was removed under it: where a
     * process has a file open its log is there, and a file without one can be locked exclusively. Refuses the log of
     * a file that is not there, which SQLite would take for that of the new one.
     */
    private static void refuseOpenElsewhere(Path path, long busyMillis) throws SQLException, IOException {
        Path log = CompanionFiles.log(path);
        // In this order: who makes a file writes to it before there is a log.
        boolean logged = Files.exists(log);
        boolean stray = hasLogOrSharedMemory(path);
        boolean empty = Files.size(path) == 0;
        if (stray && empty) {
            throw databaseMissing(path);
        }
        if (logged || empty) {
            return;
        }
        try (SqliteConnection probe = SqliteConnection.open(path, busyMillis)) {
            probe.queryText("PRAGMA locking_mode=EXCLUSIVE");
            probe.queryNumber("SELECT count(*) FROM sqlite_schema");
        } catch (SQLException e) {
            // Anything but a lock is reported when the file is really opened.
            if (SqliteErrors.isBusy(e) && Files.notExists(log)) {
                throw new StorageException(
                        path + " is open in another process, but " + log + " is not there, and nothing was done: use"
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

    /** Writes something, so that a file which cannot be written is found out now; returns the latest storage time. */
    private static long updateClock(SqliteConnection connection, JonoClock clock) throws SQLException {
        connection.execute(Sql.BEGIN);
        PreparedStatement touch = connection.prepare(UPDATE_CLOCK);
        touch.setLong(1, clock.wallMillis());
        touch.executeUpdate();
        long mark = connection.queryNumber("SELECT value FROM meta WHERE key='clock'");
        connection.execute(Sql.COMMIT);
        return mark;
    }

    void close() {
        turn.close();
        connection.close();
    }
}
