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
    private static final int MAX_CONNECTIONS = 4;

    /** Something to look up. */
    interface Query<R> {
        R read(SqliteConnection connection) throws SQLException;
    }

    private final SharedFile file;
    private final long busyMillis;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
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
        SqliteConnection connection = null;
        boolean usable = false;
        try {
            connection = takeConnection();
            connection.execute("BEGIN");
            R result = reading.read(connection);
            connection.execute(Sql.COMMIT);
            usable = true;
            return result;
        } catch (SQLException e) {
            throw file.errors().notApplied(e);
        } finally {
            returnConnection(connection, usable);
            permits.release();
        }
    }

    private SqliteConnection takeConnection() throws SQLException {
        if (closed || !file.checkPresent()) {
            throw file.errors().unusable(file.presence());
        }
        SqliteConnection connection = idle.pollFirst();
        if (connection == null) {
            connection = SqliteConnection.open(file.path(), busyMillis);
            connection.executeOnce("PRAGMA query_only=1");
        }
        return connection;
    }

    private void returnConnection(@Nullable SqliteConnection connection, boolean usable) {
        if (connection == null) {
            return;
        }
        if (!usable) {
            connection.close();
            return;
        }
        idle.addFirst(connection);
        if (closed) {
            close();
        }
    }

    /** Closes what is idle; what is in use is closed when it is given back. */
    @Override
    public void close() {
        closed = true;
        for (SqliteConnection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            connection.close();
        }
    }
}
