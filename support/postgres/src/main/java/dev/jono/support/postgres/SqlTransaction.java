package dev.jono.support.postgres;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transaction. Not thread-safe. It neither begins nor ends the transaction, so the connection may
 * belong to an application.
 */
public final class SqlTransaction {
    private final Connection connection;
    private final SqlTexts texts;

    SqlTransaction(Connection connection, SqlTexts texts) {
        this.connection = connection;
        this.texts = texts;
    }

    /**
     * Prepares a statement, which the caller closes.
     *
     * @param sql a constant that names the schema {@code jono}
     */
    public PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(texts.of(sql));
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
