package dev.jono.backend.sqlite;

import dev.jono.StorageException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Connections that only read: a few, opened when they are needed and kept. They see what is committed. */
final class Readers implements AutoCloseable {
    private static final int MOST = 4;

    /** Something to look up. */
    interface Query<R> {
        R read(SqliteConnection db) throws SQLException;
    }

    private final SharedFile file;
    private final long busyMillis;
    private final Semaphore permits = new Semaphore(MOST);
    private final ConcurrentLinkedDeque<SqliteConnection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(SharedFile file, long busyMillis) {
        this.file = file;
        this.busyMillis = busyMillis;
    }

    /** Looks something up on a thread of the executor, in one transaction. */
    <R> CompletionStage<R> read(Executor executor, Query<R> reading) {
        CompletableFuture<R> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(readNow(reading));
                } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RuntimeException e) {
            result.completeExceptionally(
                    new StorageException("the threads that read " + file.path() + " take no more work", null, null, e));
        }
        return result;
    }

    private <R> R readNow(Query<R> reading) {
        permits.acquireUninterruptibly();
        SqliteConnection db = null;
        boolean usable = false;
        try {
            db = connection();
            db.run("BEGIN");
            R result = reading.read(db);
            db.run(Sql.COMMIT);
            usable = true;
            return result;
        } catch (SQLException e) {
            throw file.errors().undone(e);
        } finally {
            giveBack(db, usable);
            permits.release();
        }
    }

    private SqliteConnection connection() throws SQLException {
        if (closed || !file.present()) {
            throw file.errors().ended(file.presence());
        }
        SqliteConnection db = idle.pollFirst();
        if (db == null) {
            db = SqliteConnection.open(file.path(), busyMillis);
            db.once("PRAGMA query_only=1");
        }
        return db;
    }

    private void giveBack(@Nullable SqliteConnection db, boolean usable) {
        if (db == null) {
            return;
        }
        if (!usable) {
            db.close();
            return;
        }
        idle.addFirst(db);
        if (closed) {
            close();
        }
    }

    /** Closes what is idle; what is in use is closed when it is given back. */
    @Override
    public void close() {
        closed = true;
        for (SqliteConnection db = idle.pollFirst(); db != null; db = idle.pollFirst()) {
            db.close();
        }
    }
}
