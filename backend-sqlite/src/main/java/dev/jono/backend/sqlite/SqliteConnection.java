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
 * A connection to a file and its prepared statements. Used by one thread at a time.
 *
 * <p>The connection stays in JDBC's autocommit mode, and statements begin and end the transactions. Without autocommit
 * the driver begins the next transaction as soon as one ends, and so keeps the lock.
 */
final class SqliteConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteConnection.class);

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private SqliteConnection(Connection connection) {
        this.connection = connection;
    }

    /** Opens an existing file. Writes nothing. */
    static SqliteConnection open(Path file, long busyMillis) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout((int) Math.min(busyMillis, Integer.MAX_VALUE));
        return open(file, config);
    }

    /** Opens a file; creates an empty one if it does not exist. */
    static SqliteConnection create(Path file) throws SQLException {
        return open(file, new SQLiteConfig());
    }

    private static SqliteConnection open(Path file, SQLiteConfig config) throws SQLException {
        NativeLibrary.load();
        config.setGetGeneratedKeys(false);
        return new SqliteConnection(config.createConnection("jdbc:sqlite:" + file));
    }

    /** A connection of the application. Its owner closes it; here only the {@linkplain #closeStatements statements} are closed. */
    static SqliteConnection borrow(Connection connection) {
        return new SqliteConnection(connection);
    }

    /** The prepared statement of a constant SQL text. Prepared at the first call, then kept. */
    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** Runs a constant statement without a result. The prepared statement is kept. */
    void execute(String sql) throws SQLException {
        prepare(sql).execute();
    }

    /** Runs a statement without a result. The statement is not kept. */
    void executeOnce(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row as text; empty if there is none. */
    String queryText(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            String value = rows.next() ? rows.getString(1) : null;
            return value == null ? "" : value;
        }
    }

    /** The path of the database; empty if it is not in a file. Begins no transaction, not even a reading one. */
    String mainFile() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA database_list")) {
            while (rows.next()) {
                if (rows.getString("name").equals("main")) {
                    String file = rows.getString("file");
                    return file == null ? "" : file;
                }
            }
            return "";
        }
    }

    /** The first column of the first row as a number; 0 if there is none. */
    long queryNumber(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /**
     * Rolls back a failed transaction; SQLite may already have done so. Closes all prepared statements, because a
     * statement that failed on a full disk cannot be used again.
     */
    void rollback() {
        closeStatements();
        try {
            executeOnce("ROLLBACK");
        } catch (SQLException e) {
            LOG.trace("no transaction to roll back", e);
        }
    }

    /** Closes all prepared statements. */
    void closeStatements() {
        for (PreparedStatement statement : statements.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                LOG.debug("closing a statement failed", e);
            }
        }
        statements.clear();
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
