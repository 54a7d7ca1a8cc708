package dev.jono.backend.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * A connection and its prepared statements. Used by one thread at a time.
 *
 * <p>The connection stays in JDBC's autocommit mode and transactions are begun and ended by statements: with
 * autocommit off the driver begins the next transaction, and so keeps the lock, as soon as one ends.
 */
final class SqliteConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteConnection.class);

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private SqliteConnection(Connection connection) {
        this.connection = connection;
    }

    /** Opens a file, which is to exist. Nothing is written. */
    static SqliteConnection open(Path file, long busyMillis) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout((int) Math.min(busyMillis, Integer.MAX_VALUE));
        return open(file, config);
    }

    /** Opens a file, and makes an empty one if it is not there. */
    static SqliteConnection create(Path file) throws SQLException {
        return open(file, new SQLiteConfig());
    }

    private static SqliteConnection open(Path file, SQLiteConfig config) throws SQLException {
        NativeLibrary.load();
        config.setGetGeneratedKeys(false);
        return new SqliteConnection(config.createConnection("jdbc:sqlite:" + file));
    }

    /** The statement for a text, which is to be a constant. Prepared once. */
    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** Runs a constant statement that returns nothing. */
    void execute(String sql) throws SQLException {
        prepare(sql).execute();
    }

    /** Runs a statement once, without keeping it. */
    void executeOnce(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row as text; empty when there is none. */
    String queryText(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String value = rows.next() ? rows.getString(1) : null;
            return value == null ? "" : value;
        }
    }

    /** The first column of the first row as a number; 0 when there is none. */
    long queryNumber(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /**
     * Ends a transaction that failed. SQLite may have ended it already, and a statement that met a full disk is of
     * no further use, so all are prepared anew.
     */
    void rollback() {
        for (PreparedStatement statement : statements.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                LOG.debug("closing a statement after a failure failed", e);
            }
        }
        statements.clear();
        try {
            executeOnce("ROLLBACK");
        } catch (SQLException e) {
            LOG.trace("no transaction to roll back", e);
        }
    }

    @Override
    public void close() {
        try {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
            statements.clear();
            connection.close();
        } catch (SQLException e) {
            LOG.warn("closing a connection failed", e);
        }
    }
}
