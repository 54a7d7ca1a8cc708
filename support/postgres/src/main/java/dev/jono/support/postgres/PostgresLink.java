package dev.jono.support.postgres;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.Storage;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The use of PostgreSQL by one backend, signaller or stats. Plugins that share connections get the link of the backend
 * ({@link dev.jono.spi.Backend#storage}) and open their own from it; the last one that closes ends the pool. Calls block
 * the calling thread. Thread-safe.
 */
public final class PostgresLink implements Storage, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.postgres");

    /**
     * The isolation that transactions of Jono need: what they read after they have waited for a lock must be new. They set it
     * where the database has another default. A setting of the session would be lost with a pooler in between.
     */
    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    /** A transaction that the server rolls back to end a deadlock runs this many times at most. */
    private static final int MAX_ATTEMPTS = 10;

    /**
     * A transaction whose connection broke is begun again for this long. Together with the wait for a connection, that is below the
     * default operation timeout.
     */
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final PostgresConnections connections;
    private final JonoClock clock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PostgresLink(PostgresConnections connections, JonoClock clock) {
        this.connections = connections;
        this.clock = clock;
    }

    /**
     * Connects, or shares the connections in {@link PluginConfig#storage()}. Creates the schema if it is missing. Blocks.
     *
     * @param extraOptions the names of the plugin's options beyond those of {@link PostgresOptions}
     * @throws ConfigurationException if the URL or an option is wrong, or the schema is missing and must not be created
     * @throws StorageException if PostgreSQL cannot be reached or refuses
     */
    public static PostgresLink open(PluginConfig config, Set<String> extraOptions) {
        ConnectionUrl url = config.url();
        PostgresOptions options = PostgresOptions.parse(url, extraOptions);
        Storage storage = config.storage();
        if (storage instanceof PostgresLink other) {
            PostgresOptions.refuseOwn(url);
            return other.share();
        }
        if (storage instanceof PostgresStorage handedIn) {
            if (!url.location().isEmpty()) {
                throw new ConfigurationException("'" + url + "' names a server, and a DataSource was handed in too:"
                        + " leave one of them out (with a DataSource, the URL " + url.type() + ": is enough)");
            }
            return new PostgresLink(PostgresConnections.using(handedIn.dataSource(), options), config.clock());
        }
        if (storage != null) {
            throw new ConfigurationException("'" + url.type() + "' cannot use a storage of "
                    + storage.getClass().getName() + ": hand in a PostgresStorage, or name a server in the URL");
        }
        return new PostgresLink(PostgresConnections.connect(config, options), config.clock());
    }

    /** Another link to the same connections, which its user closes. */
    public PostgresLink share() {
        connections.retain();
        return new PostgresLink(connections, clock);
    }

    /** The options of the connection. */
    public PostgresOptions options() {
        return connections.options();
    }

    /** Statements on a connection of the application, within its transaction. */
    public SqlTransaction within(Connection connection) {
        return within(connection, true);
    }

    /** As {@link #within(Connection)}; {@code current} says whether it sees what others commit meanwhile. */
    SqlTransaction within(Connection connection, boolean current) {
        return new SqlTransaction(connection, connections.texts(), true, current);
    }

    private SqlTransaction own(Connection connection) {
        return new SqlTransaction(connection, connections.texts(), false, true);
    }

    /**
     * Opens a connection that the caller keeps until it calls {@link #giveBack} or {@link #discard}. {@link #close} waits for
     * that, for a while.
     *
     * @param step what it is for, for messages
     */
    public Connection connection(String step) {
        try {
            refuseIfClosed();
            return connections.open();
        } catch (SQLException e) {
            throw PostgresErrors.notDone(step, null, e);
        }
    }

    /** Takes back a connection from {@link #connection} in the state in which it was opened. */
    public void giveBack(Connection connection) {
        connections.giveBack(connection);
    }

    /** Closes a connection from {@link #connection} that is broken, or has a state that no other caller may see. */
    public void discard(Connection connection) {
        connections.discard(connection);
    }

    /**
     * Runs work as one transaction. If the server rolls it back to end a deadlock, or its connection breaks before the commit,
     * it runs again.
     *
     * @param step what is done, for messages
     * @param queue the queue concerned; null if there is none
     * @throws StorageException if nothing was done
     * @throws OutcomeUnknownException if the commit was not answered
     */
    public <R> R transaction(String step, @Nullable String queue, SqlWork<R> work) {
        return repeated(step, queue, connection -> {
            connection.setAutoCommit(false);
            R result;
            try {
                if (!connections.readCommitted()) {
                    setIsolation(connection);
                }
                result = work.run(own(connection));
            } catch (SQLException | RuntimeException | Error failure) {
                rollback(connection);
                throw failure;
            }
            commit(step, queue, connection);
            return result;
        });
    }

    private static void setIsolation(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(READ_COMMITTED);
        }
    }

    /**
     * Runs work whose statements each are a transaction of their own. That saves the round trip of the commit. Only one of
     * them may change something, and it must be harmless to run it twice.
     *
     * @param changing whether one of them changes something
     * @throws StorageException if nothing was done
     * @throws OutcomeUnknownException if a change was not answered
     */
    public <R> R single(String step, @Nullable String queue, boolean changing, SqlWork<R> work) {
        if (!connections.readCommitted()) {
            return transaction(step, queue, work); // a statement alone cannot ask for an isolation
        }
        return repeated(step, queue, connection -> {
            connection.setAutoCommit(true);
            try {
                return work.run(own(connection));
            } catch (SQLException failure) {
                if (changing && PostgresErrors.unanswered(failure)) {
                    throw PostgresErrors.unknown(step, queue, failure);
                }
                throw failure;
            }
        });
    }

    /** What is done with a connection. */
    @FunctionalInterface
    private interface Use<R> {
        R with(Connection connection) throws SQLException;
    }

    private <R> R repeated(String step, @Nullable String queue, Use<R> use) {
        long begunNanos = clock.nanos();
        for (int attempt = 1; ; attempt++) {
            try (Borrowed borrowed = borrow(step, queue)) {
                return use.with(borrowed.connection);
            } catch (SQLException failure) {
                if (!runsAgain(failure, attempt, begunNanos)) {
                    throw PostgresErrors.notDone(step, queue, failure);
                }
                LOG.debug("{} runs again, because nothing was done: {}", step, PostgresErrors.text(failure));
            }
        }
    }

    /** After a restart of the server, each connection of the pool can be broken, and fails once. */
    private boolean runsAgain(SQLException failure, int attempt, long begunNanos) {
        if (PostgresErrors.connectionLost(failure)) {
            return attempt < MAX_ATTEMPTS + options().poolSize() && clock.nanos() - begunNanos < RECONNECT_NANOS;
        }
        return attempt < MAX_ATTEMPTS && PostgresErrors.rolledBack(failure);
    }

    /** A connection that goes back when this is closed. */
    private record Borrowed(PostgresConnections connections, Connection connection) implements AutoCloseable {
        @Override
        public void close() {
            connections.giveBack(connection);
        }
    }

    /** If there is no connection, the pool has waited for one already. */
    private Borrowed borrow(String step, @Nullable String queue) {
        try {
            refuseIfClosed();
            return new Borrowed(connections, connections.borrow());
        } catch (SQLException failure) {
            throw PostgresErrors.notDone(step, queue, failure);
        }
    }

    private void refuseIfClosed() throws SQLException {
        if (closed.get()) {
            throw new SQLException("the connection is closed");
        }
    }

    private static void commit(String step, @Nullable String queue, Connection connection) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException failure) {
            if (PostgresErrors.unanswered(failure)) {
                throw PostgresErrors.unknown(step, queue, failure);
            }
            throw failure;
        }
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("a rollback failed, and the connection is given up", broken);
        }
    }

    /** Runs a call on an executor. If there is no thread for it, the stage fails. */
    public static <R> CompletionStage<R> async(Executor executor, Supplier<R> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(call.get());
                } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error refused) {
            result.completeExceptionally(refused);
        }
        return result;
    }

    /** Translates a failure of a connection that the caller keeps. */
    public static JonoException failed(String step, SQLException failure) {
        return PostgresErrors.notDone(step, null, failure);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connections.release();
        }
    }

    /** The storage's name, for messages. */
    @Override
    public String toString() {
        return "PostgreSQL, schema " + options().schema();
    }
}
