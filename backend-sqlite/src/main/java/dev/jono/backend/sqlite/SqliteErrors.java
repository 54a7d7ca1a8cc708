package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Translates errors of SQLite and of the file system into Jono's exceptions. Each message says what happened, to which
 * file, and what to do. Thread-safe.
 */
final class SqliteErrors {
    // SQLite's primary result codes.
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private static final String AFTER_LOSS = "restore the file if it is still needed, then close the QueueFactory"
            + " and open it again; move or restore a file only while no process has it open";

    private final Path file;

    SqliteErrors(Path file) {
        this.file = file;
    }

    static boolean isBusy(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        return code == BUSY || code == LOCKED;
    }

    /** Whether the disk may be full, for the database or for SQLite's files next to it. */
    static boolean isFull(SQLException e) {
        return (e.getErrorCode() & 0xff) == FULL
                || (e instanceof SQLiteException known
                        && known.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE);
    }

    /** The exception of a failure that certainly changed nothing. */
    JonoException notApplied(SQLException e) {
        int code = isFull(e) ? FULL : e.getErrorCode() & 0xff;
        if (code == NOTADB) {
            return new ConfigurationException(
                    file + " is not a SQLite file, and was not changed: name a new file for the queues", e);
        }
        return new StorageException(message(code, e), null, null, e);
    }

    /** The exception of a failed commit. */
    JonoException commitFailed(SQLException e) {
        int code = e.getErrorCode() & 0xff;
        if (code != IOERR) {
            return notApplied(e);
        }
        return new OutcomeUnknownException(
                "reading or writing " + file + " failed while a change was being committed, so it may or may not be"
                        + " stored (" + e.getMessage() + "): check the disk",
                null,
                null,
                e);
    }

    private String message(int code, SQLException e) {
        String detail = " (" + e.getMessage() + ")";
        return switch (code) {
            case BUSY, LOCKED ->
                file + " was locked by another process for longer than jono.busy, and nothing was done: find the"
                        + " process that holds a transaction open" + detail;
            case READONLY ->
                file + " cannot be written, and nothing was done: this process needs the right to write to the file"
                        + " and to its directory" + detail;
            case FULL ->
                "the disk that holds " + file + " is full, and nothing was done: free space; no stored message is lost"
                        + detail;
            case CORRUPT ->
                file + " is damaged, and nothing was done: stop all its processes, copy the file with its -wal, and"
                        + " recover what can be read with sqlite3's .recover" + detail;
            case CANTOPEN ->
                file + " cannot be opened: this process needs the right to write to the file and to its directory"
                        + detail;
            case IOERR ->
                "reading or writing " + file + " failed, and nothing was done: check the disk and its free space"
                        + detail;
            default -> "SQLite refused to work on " + file + ", and nothing was done" + detail;
        };
    }

    /** The disk space that takes and acks need could not be reserved. */
    StorageException noReserve(IOException e) {
        String why = e instanceof FileSystemException
                ? "reserving space in " + CompanionFiles.directory(file) + " failed, and nothing was done: this process"
                        + " needs the right to write to it ("
                : "the disk that holds " + file + " is full, and nothing was done: free space; no stored message is"
                        + " lost, and stored messages can be consumed (";
        return new StorageException(why + e + ")", null, null, e);
    }

    StorageException turnFailed(IOException e) {
        return new StorageException(
                "acquiring the turn to write to " + file + " failed, and nothing was done (" + e
                        + "): this process needs the right to write to " + CompanionFiles.directory(file),
                null,
                null,
                e);
    }

    StorageException turnTimedOut(long busyMillis) {
        return new StorageException(
                "another process held the turn to write to " + file + " for longer than jono.busy (" + busyMillis
                        + " ms), and nothing was done: find the process that is stopped, or blocked on the disk",
                null,
                null,
                null);
    }

    StorageException closed() {
        return new StorageException(file + " is closed", null, null, null);
    }

    /** The file cannot be used any more: it is closed, or was lost. */
    StorageException unusable(FilePresence presence) {
        String loss = presence.loss();
        return loss == null
                ? closed()
                : new StorageException(
                        loss + " while this process had it open, and nothing was done: " + AFTER_LOSS,
                        null,
                        null,
                        null);
    }

    /** The file was found to be lost after a commit. */
    OutcomeUnknownException lostAfterCommit(String loss) {
        return new OutcomeUnknownException(
                loss + " while this process had it open. A change that was just committed went to the old file,"
                        + " where other processes do not see it: " + AFTER_LOSS,
                null,
                null,
                null);
    }
}
