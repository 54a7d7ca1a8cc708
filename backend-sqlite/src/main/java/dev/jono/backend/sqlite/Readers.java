package dev.jono.backend.sqlite;

import dev.jono.StorageException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Up to four connections that only read, opened on demand and kept. They see committed data. Queries run on the
 * factory's executor; any thread may call any method.
 */
final class Readers implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 4;

    /** A query on a connection, which it must not keep. */
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

    /** Runs a query on a thread of the executor, in one transaction. */
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
                    new StorageException("the executor refused to read " + file.path(), null, null, e));
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

    /** Closes the idle connections. A connection in use is closed when its query ends. */
    @Override
    public void close() {
        closed = true;
        for (SqliteConnection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            connection.close();
        }
    }
}
