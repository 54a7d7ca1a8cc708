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
    /** What a step stores and returns. The last parameter of each insert and claim is the token of the call. */
    enum Steps {
        /** What a queue needs at least. Tokens are not stored. */
        FREE(
                "CREATE TABLE loop_message (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, queue int NOT NULL,"
                        + " due timestamptz NOT NULL, tries int NOT NULL, claim bigint, payload bytea NOT NULL);"
                        + " CREATE INDEX loop_message_due ON loop_message (queue, due, id)",
                "INSERT INTO loop_message (queue, due, tries, payload) SELECT 1, clock_timestamp(), 0, payload"
                        + " FROM unnest(?) AS payload RETURNING id",
                "UPDATE loop_message SET due = clock_timestamp() + interval '30 s', claim = ?, tries = tries + 1"
                        + " WHERE id = ANY(ARRAY(SELECT id FROM loop_message WHERE queue = 1 AND due <= clock_timestamp()"
                        + " ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED)) RETURNING id, payload",
                "DELETE FROM loop_message WHERE id = ANY(?) AND claim = ?"),

        /**
         * What Jono does: the same fields and indexes, tokens that make a call repeatable, messages in their order with all of their
         * fields, and an answer for each ack.
         */
        ALIKE(
                "CREATE TABLE loop_message (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, due bigint NOT NULL,"
                        + " lease bigint NOT NULL DEFAULT 0, claim bigint NOT NULL DEFAULT 0, pushed bigint NOT NULL,"
                        + " queue integer NOT NULL, tries integer NOT NULL DEFAULT 0, state smallint NOT NULL DEFAULT 0,"
                        + " kind smallint NOT NULL, headers text, payload bytea NOT NULL);"
                        + " CREATE INDEX loop_message_free ON loop_message (queue, due, id) WHERE state = 0;"
                        + " CREATE INDEX loop_message_held ON loop_message (queue, lease, id) WHERE state = 1;"
                        + " CREATE TABLE loop_call (token text PRIMARY KEY, at bigint NOT NULL, ids bigint[]);"
                        + " CREATE INDEX loop_call_at ON loop_call (at)",
                "WITH clock AS MATERIALIZED (SELECT " + PostgresLoop.MILLIS + " AS now), stored AS ("
                        + "INSERT INTO loop_message (queue, due, pushed, kind, payload) SELECT 1, c.now, c.now, 1, payload"
                        + " FROM clock c, unnest(?) AS payload RETURNING id), token AS (INSERT INTO loop_call"
                        + " SELECT ?, c.now, (SELECT array_agg(id) FROM stored) FROM clock c) SELECT id FROM stored",
                "WITH clock AS MATERIALIZED (SELECT " + PostgresLoop.MILLIS
                        + " AS now), done AS (UPDATE loop_message SET state = 1,"
                        + " claim = ?, lease = (SELECT now FROM clock) + 30000, tries = tries + 1"
                        + " WHERE id = ANY(ARRAY(SELECT id FROM loop_message WHERE queue = 1 AND state = 0"
                        + " AND due <= (SELECT now FROM clock) ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED)) RETURNING *),"
                        + " token AS (INSERT INTO loop_call SELECT ?, now FROM clock)"
                        + " SELECT id, payload, tries, due, lease, pushed, kind, headers FROM done ORDER BY due, id",
                "DELETE FROM loop_message WHERE id = ANY(?) AND claim = ? RETURNING id");

        private final String tables;
        private final String insert;
        private final String claim;
        private final String delete;

        Steps(String tables, String insert, String claim, String delete) {
            this.tables = tables;
            this.insert = insert;
            this.claim = claim;
            this.delete = delete;
        }

        private boolean tokens() {
            return this == ALIKE;
        }
    }

    private static final String MILLIS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    private final Steps steps;
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement claim;
    private final PreparedStatement delete;
    private long calls;

    /** Creates its tables, in the database of this JDBC URL. */
    PostgresLoop(String url, Steps steps) throws SQLException {
        this.steps = steps;
        this.connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(steps.tables);
        }
        this.insert = connection.prepareStatement(steps.insert);
        this.claim = connection.prepareStatement(steps.claim);
        this.delete = connection.prepareStatement(steps.delete);
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
            setToken(insert, 2);
            // A push returns ids, so the loop reads them too.
            try (ResultSet ids = insert.executeQuery()) {
                while (ids.next()) {
                    ids.getLong(1);
                }
            }
        }
        return messages;
    }

    private void setToken(PreparedStatement statement, int parameter) throws SQLException {
        calls++;
        if (steps.tokens()) {
            statement.setString(parameter, "token-of-a-call-" + calls);
        }
    }

    /** Claims in one statement and deletes in another one, until this many messages are done. */
    @CanIgnoreReturnValue
    long reserveAck(int messages, int perStatement) throws SQLException {
        for (int done = 0; done < messages; ) {
            setToken(claim, 3);
            claim.setLong(1, calls);
            claim.setInt(2, Math.min(perStatement, messages - done));
            Long[] ids = new Long[perStatement];
            int found = 0;
            try (ResultSet rows = claim.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    ids[found++] = rows.getLong(1);
                    rows.getBytes(2);
                    for (int column = 3; column <= columns; column++) {
                        rows.getObject(column);
                    }
                }
            }
            if (found == 0) {
                throw new IllegalStateException("the loop found no more messages");
            }
            Array all = connection.createArrayOf("bigint", ids);
            delete.setArray(1, all);
            delete.setLong(2, calls);
            if (deleted() != found) {
                throw new IllegalStateException("a claimed message has gone");
            }
            done += found;
        }
        return messages;
    }

    private int deleted() throws SQLException {
        if (!delete.execute()) {
            return delete.getUpdateCount();
        }
        int found = 0;
        try (ResultSet ids = delete.getResultSet()) {
            while (ids.next()) {
                ids.getLong(1);
                found++;
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
