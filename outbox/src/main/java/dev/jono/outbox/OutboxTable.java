package dev.jono.outbox;

import com.google.errorprone.annotations.concurrent.LazyInit;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The tables of an outbox. Blocks the calling thread; thread-safe. */
final class OutboxTable {
    private static final int LONGEST_REFUSAL = 1_000;

    private final DataSource database;
    private final String table;

    @LazyInit
    private volatile @Nullable Database kind;

    OutboxTable(DataSource database, String table) {
        this.database = database;
        this.table = table;
    }

    /** Work on a connection. */
    interface Work<R> {
        R on(Connection connection) throws SQLException;
    }

    /**
     * Runs work on a connection of its own, in autocommit mode.
     *
     * @param what names it in the exception
     * @throws StorageException if the database fails
     */
    <R> R run(String what, Work<R> work) {
        try (Connection connection = database.getConnection()) {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            return work.on(connection);
        } catch (SQLException failure) {
            throw failed(what, null, failure);
        }
    }

    private StorageException failed(String what, @Nullable String queue, SQLException failure) {
        return new StorageException(
                what + " in the outbox '" + table + "' failed: " + failure.getMessage(), queue, null, failure);
    }

    private Database kind(Connection connection) throws SQLException {
        Database known = kind;
        if (known == null) {
            known = Database.of(connection.getMetaData().getDatabaseProductName());
            kind = known;
        }
        return known;
    }

    /** The statements that create and fill the tables. */
    List<String> schema() {
        return run(
                "reading the kind of database",
                connection -> kind(connection).parts(table).stream()
                        .map(Database.Part::statement)
                        .toList());
    }

    /** Creates what is missing. Several processes may do so at once. With all there, it needs no right to create. */
    void create() {
        run("creating the tables", connection -> {
            for (Database.Part part : kind(connection).parts(table)) {
                if (!finds(connection, part.look())) {
                    create(connection, part);
                }
            }
            return table;
        });
    }

    private static void create(Connection connection, Database.Part part) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(part.statement());
        } catch (SQLException refused) {
            boolean createdMeanwhile = finds(connection, part.look());
            if (!createdMeanwhile) {
                throw refused;
            }
        }
    }

    private static boolean finds(Connection connection, String look) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(look)) {
            return rows.next();
        } catch (SQLException missing) {
            return false;
        }
    }

    /**
     * Stores a message in the transaction of a connection.
     *
     * @throws IllegalArgumentException if no transaction is open
     * @throws StorageException if the database fails
     */
    void insert(Connection connection, OutboxRow row) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("push to queue '" + row.queue()
                        + "' by the outbox: the connection is in autocommit mode, so it has no transaction; call"
                        + " setAutoCommit(false)");
            }
            lockKey(connection, row);
            try (PreparedStatement insert = connection.prepareStatement("insert into " + table
                    + " (message, queue, kind, payload, headers, ordering_key, due_ms, delay_ms, tries, unique_scope,"
                    + " unique_key, unique_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
                insert.setString(1, row.message());
                insert.setString(2, row.queue());
                insert.setString(3, row.payload().kind().name());
                insert.setBytes(4, row.payload().bytes());
                insert.setString(5, row.headers());
                insert.setString(6, row.key());
                if (row.dueMillis() == null) {
                    insert.setNull(7, Types.BIGINT);
                } else {
                    insert.setLong(7, row.dueMillis());
                }
                insert.setLong(8, row.delayMillis());
                insert.setInt(9, row.tries());
                insert.setString(10, row.uniqueScope());
                insert.setString(11, row.uniqueKey());
                insert.setLong(12, row.uniqueMillis());
                insert.executeUpdate();
            }
        } catch (SQLException failure) {
            throw failed("push to queue '" + row.queue() + "'", row.queue(), failure);
        }
    }

    private void lockKey(Connection connection, OutboxRow row) throws SQLException {
        if (row.key() == null || !kind(connection).locksKeys) {
            return;
        }
        try (PreparedStatement lock =
                connection.prepareStatement("select slot from " + table + "_key where slot = ? for update")) {
            lock.setInt(1, Math.floorMod((row.queue() + '\0' + row.key()).hashCode(), Database.KEY_LOCKS));
            try (ResultSet rows = lock.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("the table " + table + "_key lacks rows; start an outbox with create(true)");
                }
            }
        }
    }

    /** Whether messages are to be relayed, to any queue. */
    boolean hasNext(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 1 from " + table + " where refusal is null limit 1")) {
            return rows.next();
        }
    }

    /**
     * The first messages that are to be relayed, in the order of their numbers.
     *
     * @param others queues whose messages are left out
     */
    List<OutboxRow> next(Connection connection, int max, Set<String> others) throws SQLException {
        List<OutboxRow> found = new ArrayList<>();
        String allowed = others.isEmpty() ? "" : " and queue not in (" + "?, ".repeat(others.size() - 1) + "?)";
        try (PreparedStatement select = connection.prepareStatement("select id, message, queue, kind, payload, headers,"
                + " ordering_key, due_ms, delay_ms, tries, unique_scope, unique_key, unique_ms from " + table
                + " where refusal is null" + allowed + " order by id limit ?")) {
            int parameter = 1;
            for (String other : others) {
                select.setString(parameter++, other);
            }
            select.setInt(parameter, max);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(row(rows));
                }
            }
        }
        return found;
    }

    private static OutboxRow row(ResultSet rows) throws SQLException {
        long due = rows.getLong(8);
        boolean hasDue = !rows.wasNull();
        return new OutboxRow(
                rows.getLong(1),
                rows.getString(2),
                rows.getString(3),
                EncodedPayload.of(PayloadKind.valueOf(rows.getString(4)), rows.getBytes(5)),
                rows.getString(6),
                rows.getString(7),
                hasDue ? due : null,
                rows.getLong(9),
                rows.getInt(10),
                rows.getString(11),
                rows.getString(12),
                rows.getLong(13));
    }

    void delete(Connection connection, Collection<Long> numbers) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from " + table + " where id = ?")) {
            for (long number : numbers) {
                delete.setLong(1, number);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    /** @param reasons by number, why no queue takes the message */
    void refuse(Connection connection, Map<Long, String> reasons) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update " + table + " set refusal = ? where id = ?")) {
            for (Map.Entry<Long, String> each : reasons.entrySet()) {
                String reason = each.getValue();
                update.setString(1, reason.substring(0, Math.min(reason.length(), LONGEST_REFUSAL)));
                update.setLong(2, each.getKey());
                update.executeUpdate();
            }
        }
    }

    long count(boolean refused) {
        return run("counting messages", connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "select count(*) from " + table + " where refusal is " + (refused ? "not null" : "null"))) {
                rows.next();
                return rows.getLong(1);
            }
        });
    }

    int retryRefused() {
        return run("retrying refused messages", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate("update " + table + " set refusal = null where refusal is not null");
            }
        });
    }
}
