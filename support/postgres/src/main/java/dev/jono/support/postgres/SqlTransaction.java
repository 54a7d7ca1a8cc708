package dev.jono.support.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * The statements of one transaction. Not thread-safe. It neither begins nor ends the transaction, so the connection may
 * belong to an application.
 */
public final class SqlTransaction {
    /**
     * A statement to put before others: until the transaction ends, the server reads tables by their indexes. Otherwise it could
     * plan a statement while a queue is empty, read the whole table, and keep that plan until the next vacuum, while the queue
     * grows. The server keeps plans of prepared statements: PostgreSQL, chapter PREPARE.
     */
    public static final String BY_INDEX =
            "SELECT set_config('enable_seqscan', 'off', true)," + " set_config('enable_bitmapscan', 'off', true); ";

    private final Connection connection;
    private final SqlTexts texts;
    private final boolean joined;
    private final boolean current;

    SqlTransaction(Connection connection, SqlTexts texts, boolean joined, boolean current) {
        this.connection = connection;
        this.texts = texts;
        this.joined = joined;
        this.current = current;
    }

    /** Whether it is a transaction of the application, whose settings must stay as they are. */
    public boolean joined() {
        return joined;
    }

    /**
     * Whether each statement sees what others have committed before it. A transaction of an application can be one that sees only
     * what was committed before its own first statement.
     */
    public boolean current() {
        return current;
    }

    /**
     * Prepares a statement, which the caller closes. In a transaction of the application, the server plans it anew for each run.
     *
     * @param sql a constant that names the schema {@code jono}
     */
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(texts.of(sql));
        if (joined && statement.isWrapperFor(PGStatement.class)) {
            planAnew(statement);
        }
        return statement;
    }

    /**
     * As {@link #prepare(String)}, for a statement that the server plans anew for each run. It cannot keep a plan that it made while
     * a table was empty, which {@link #BY_INDEX} explains.
     */
    public PreparedStatement prepareAnew(String sql) throws SQLException {
        PreparedStatement statement = prepare(sql);
        planAnew(statement);
        return statement;
    }

    private static void planAnew(PreparedStatement statement) throws SQLException {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }

    /**
     * Runs statements that are sent together.
     *
     * @param before how many results there are before the one to return
     */
    public static ResultSet resultAfter(int before, PreparedStatement statements) throws SQLException {
        statements.execute();
        for (int i = 0; i < before; i++) {
            statements.getMoreResults();
        }
        return statements.getResultSet();
    }

    /**
     * Prepares a statement on tables whose names are known at run time only. The caller closes it.
     *
     * @param sql a constant that names the schema {@code jono}
     * @param named puts the names of the tables in, when that of the schema is there
     */
    public PreparedStatement prepare(String sql, UnaryOperator<String> named) throws SQLException {
        return connection.prepareStatement(named.apply(texts.of(sql)));
    }

    /** An array of {@code bigint}. */
    public Array longs(Collection<Long> values) throws SQLException {
        return connection.createArrayOf("bigint", values.toArray(Long[]::new));
    }

    /** An array of {@code text}. */
    public Array texts(Collection<String> values) throws SQLException {
        return connection.createArrayOf("text", values.toArray(String[]::new));
    }

    /**
     * An array.
     *
     * @param type the name of the element's type in PostgreSQL
     */
    public Array array(String type, @Nullable Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    /** The present time of the server's clock, in milliseconds since the epoch. */
    public long nowMillis() throws SQLException {
        try (PreparedStatement select = prepare("SELECT jono.millis()");
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
