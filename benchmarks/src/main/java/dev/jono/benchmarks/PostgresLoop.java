package dev.jono.benchmarks;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;

/**
 * The loop written by hand with which the postgres backend is compared: one thread, one connection, one table, the same
 * durability, one statement per step, and a fixed number of messages per statement. Not thread-safe.
 */
final class PostgresLoop implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement claim;
    private final PreparedStatement delete;
    private long token;

    /** Creates its table, in the database of this JDBC URL. */
    PostgresLoop(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE loop_message (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " queue int NOT NULL, due timestamptz NOT NULL, tries int NOT NULL, claim bigint,"
                    + " payload bytea NOT NULL)");
            statement.execute("CREATE INDEX loop_message_due ON loop_message (queue, due, id)");
        }
        this.insert = connection.prepareStatement("INSERT INTO loop_message (queue, due, tries, payload)"
                + " SELECT 1, clock_timestamp(), 0, payload FROM unnest(?) AS payload RETURNING id");
        this.claim = connection.prepareStatement("UPDATE loop_message SET due = clock_timestamp() + interval '30 s',"
                + " claim = ?, tries = tries + 1 WHERE id = ANY(ARRAY(SELECT id FROM loop_message"
                + " WHERE queue = 1 AND due <= clock_timestamp() ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED))"
                + " RETURNING id, tries, payload");
        this.delete = connection.prepareStatement("DELETE FROM loop_message WHERE id = ANY(?) AND claim = ?");
    }

    /** Pushes this many messages, {@code perStatement} at once. */
    @CanIgnoreReturnValue
    long push(int messages, int perStatement, byte[] payload) throws SQLException {
        for (int done = 0; done < messages; done += perStatement) {
            int most = Math.min(perStatement, messages - done);
            insert.setArray(
                    1,
                    connection.createArrayOf(
                            "bytea", Collections.nCopies(most, payload).toArray(new byte[0][])));
            // A push returns ids, so the loop reads them too.
            try (ResultSet ids = insert.executeQuery()) {
                while (ids.next()) {
                    ids.getLong(1);
                }
            }
        }
        return messages;
    }

    /** Claims in one statement and deletes in another one, until this many messages are done. */
    @CanIgnoreReturnValue
    long reserveAck(int messages, int perStatement) throws SQLException {
        for (int done = 0; done < messages; ) {
            claim.setLong(1, ++token);
            claim.setInt(2, Math.min(perStatement, messages - done));
            Long[] ids = new Long[perStatement];
            int found = 0;
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    ids[found++] = rows.getLong(1);
                    rows.getInt(2);
                    rows.getBytes(3);
                }
            }
            if (found == 0) {
                throw new IllegalStateException("the loop found no more messages");
            }
            Array all = connection.createArrayOf("bigint", ids);
            delete.setArray(1, all);
            delete.setLong(2, token);
            if (delete.executeUpdate() != found) {
                throw new IllegalStateException("a claimed message has gone");
            }
            done += found;
        }
        return messages;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
