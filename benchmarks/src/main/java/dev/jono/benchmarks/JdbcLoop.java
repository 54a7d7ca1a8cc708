package dev.jono.benchmarks;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.sqlite.SQLiteConfig;

/**
 * The loop written by hand with which the sqlite backend is compared: one thread, one connection, one table, the same
 * durability, and a fixed number of messages per transaction. Not thread-safe.
 */
public final class JdbcLoop implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement lastId;
    private final PreparedStatement select;
    private final PreparedStatement claim;
    private final PreparedStatement delete;
    private long due;

    /** Opens a new file. */
    public JdbcLoop(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setGetGeneratedKeys(false);
        this.connection = config.createConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE message (id INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL,"
                    + " due INTEGER NOT NULL, tries INTEGER NOT NULL, claim INTEGER, payload BLOB NOT NULL)");
            statement.execute("CREATE INDEX message_due ON message (queue, due)");
        }
        this.insert =
                connection.prepareStatement("INSERT INTO message (queue, due, tries, payload) VALUES (1, ?, 0, ?)");
        this.lastId = connection.prepareStatement("SELECT last_insert_rowid()");
        this.select = connection.prepareStatement(
                "SELECT id, tries, payload FROM message WHERE queue = 1 AND due <= ? ORDER BY due, id LIMIT ?");
        this.claim =
                connection.prepareStatement("UPDATE message SET due = ?, claim = ?, tries = tries + 1 WHERE id = ?");
        this.delete = connection.prepareStatement("DELETE FROM message WHERE id = ? AND claim = ?");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns this loop as a side of a comparison, with this many messages per transaction. */
    public QueueClient as(int perTransaction) {
        return new QueueClient() {
            @Override
            public String queue() {
                return "loop";
            }

            @Override
            public void run(Step step, NumberedMessages messages) throws SQLException {
                if (step == Step.PUSH) {
                    push(
                            messages.count(),
                            perTransaction,
                            i -> messages.payloads.get(i).getBytes(StandardCharsets.UTF_8));
                } else {
                    reserveAck(
                            messages.count(),
                            perTransaction,
                            payload -> messages.arrived(new String(payload, StandardCharsets.UTF_8)));
                }
            }

            @Override
            public void close() throws IOException {
                try {
                    connection.close();
                } catch (SQLException e) {
                    throw new IOException(e);
                }
            }
        };
    }

    /** Pushes this many messages, {@code perTransaction} in each transaction. */
    @CanIgnoreReturnValue
    long push(int messages, int perTransaction, byte[] payload) throws SQLException {
        return push(messages, perTransaction, i -> payload);
    }

    @CanIgnoreReturnValue
    private long push(int messages, int perTransaction, IntFunction<byte[]> payload) throws SQLException {
        for (int done = 0; done < messages; done += perTransaction) {
            int most = Math.min(perTransaction, messages - done);
            run("BEGIN IMMEDIATE");
            for (int i = 0; i < most; i++) {
                insert.setLong(1, ++due);
                insert.setBytes(2, payload.apply(done + i));
                insert.addBatch();
            }
            insert.executeBatch();
            // A push returns ids, so the loop reads them too.
            try (ResultSet rows = lastId.executeQuery()) {
                rows.next();
                rows.getLong(1);
            }
            run("COMMIT");
        }
        return messages;
    }

    /** Claims in one transaction and deletes in another one, until this many messages are done. */
    @CanIgnoreReturnValue
    long reserveAck(int messages, int perTransaction) throws SQLException {
        return reserveAck(messages, perTransaction, payload -> {});
    }

    @CanIgnoreReturnValue
    private long reserveAck(int messages, int perTransaction, Consumer<byte[]> taken) throws SQLException {
        long[] ids = new long[perTransaction];
        long done = 0;
        long token = 0;
        while (done < messages) {
            token++;
            run("BEGIN IMMEDIATE");
            int found = 0;
            select.setLong(1, Long.MAX_VALUE / 2);
            select.setInt(2, perTransaction);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids[found++] = rows.getLong(1);
                    rows.getInt(2);
                    taken.accept(rows.getBytes(3));
                }
            }
            for (int i = 0; i < found; i++) {
                claim.setLong(1, Long.MAX_VALUE - 1);
                claim.setLong(2, token);
                claim.setLong(3, ids[i]);
                claim.addBatch();
            }
            claim.executeBatch();
            run("COMMIT");
            run("BEGIN IMMEDIATE");
            for (int i = 0; i < found; i++) {
                delete.setLong(1, ids[i]);
                delete.setLong(2, token);
                delete.addBatch();
            }
            delete.executeBatch();
            run("COMMIT");
            if (found == 0) {
                throw new IllegalStateException("the loop found no more messages");
            }
            done += found;
        }
        return done;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
