package dev.jono.backend.postgres;

import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of queues. Each call looks its queue up again, because another process may delete it; numbers are never used
 * again. Calls that add messages share a lock, and a call that deletes the queue has it alone. It is a lock of the
 * transaction, so it works with a pooler.
 */
final class Queues {
    private static final String FIND = "SELECT jono.millis(), q.id, q.max_per_key FROM (SELECT 1) AS one"
            + " LEFT JOIN jono.queue q ON q.name = ?";
    /** Keeps the queue from being deleted until the transaction ends. */
    static final String LOCK_SHARED = "SELECT pg_advisory_xact_lock_shared(?)";

    private static final String LOCK_AND_FIND = LOCK_SHARED + "; " + FIND;
    private static final String LOCK_AND_FIND_BY_INDEX = LOCK_SHARED + "; " + SqlTransaction.BY_INDEX + FIND;
    private static final String FIND_BY_INDEX = SqlTransaction.BY_INDEX + FIND;
    private static final String LOCK_UNCHANGED = "SELECT 1 FROM jono.queue WHERE id = ? FOR SHARE";
    private static final String LOCK_ALONE = "SELECT pg_advisory_xact_lock(?)";
    private static final String ADD = "INSERT INTO jono.queue (name) VALUES (?) ON CONFLICT (name) DO NOTHING";
    private static final String SET_KEYED = "UPDATE jono.queue SET max_per_key = ? WHERE id = ?";
    private static final String REMOVE = "DELETE FROM jono.queue WHERE id = ?";
    private static final String NAMES = "SELECT name FROM jono.queue ORDER BY name COLLATE \"C\"";

    private Queues() {}

    /**
     * A queue in the database, and the time of the look.
     *
     * @param id its number; {@link #NONE} if the queue does not exist
     * @param maxPerKey most messages of one ordering key that are held at one time; 0 if it is not keyed
     * @param nowMillis the server's clock
     */
    record Found(int id, int maxPerKey, long nowMillis) {
        /** The number of a queue that does not exist. */
        static final int NONE = 0;

        boolean exists() {
            return id != NONE;
        }

        boolean keyed() {
            return maxPerKey > 0;
        }

        /** Whether one message of a key is held at a time, and the order is strict. */
        boolean strict() {
            return maxPerKey == 1;
        }
    }

    static Found find(SqlTransaction tx, String name) throws SQLException {
        try (PreparedStatement find = tx.prepare(FIND)) {
            find.setString(1, name);
            try (ResultSet row = find.executeQuery()) {
                return found(row);
            }
        }
    }

    /** As {@link #find}, in a transaction that reads tables by their indexes from now on. */
    static Found findByIndex(SqlTransaction tx, String name) throws SQLException {
        try (PreparedStatement find = tx.prepare(FIND_BY_INDEX)) {
            find.setString(1, name);
            try (ResultSet row = SqlTransaction.resultAfter(1, find)) {
                return found(row);
            }
        }
    }

    private static Found found(ResultSet row) throws SQLException {
        row.next();
        return new Found(row.getInt(2), row.getInt(3), row.getLong(1));
    }

    /** Finds a queue that messages are about to be added to. It is created if it does not exist, and is not deleted meanwhile. */
    static Found findToAdd(SqlTransaction tx, QueueView view, String name) throws SQLException {
        Found found = lockAndFind(tx, view, name);
        if (!found.exists()) {
            add(tx, name);
            found = find(tx, name);
        }
        if (!tx.current()) {
            requireUnchanged(tx, name, found);
        }
        return found;
    }

    /**
     * Another transaction may have deleted the queue, or opened it as keyed, and this one does not see that. The lock fails then.
     * In a keyed queue it would not see which messages of a key have ended meanwhile.
     *
     * @throws IllegalArgumentException if the queue is keyed
     */
    private static void requireUnchanged(SqlTransaction tx, String name, Found found) throws SQLException {
        if (found.keyed()) {
            throw new IllegalArgumentException(
                    "queue '" + name + "' is keyed, so a push needs a transaction with the isolation READ COMMITTED");
        }
        try (PreparedStatement lock = tx.prepare(LOCK_UNCHANGED)) {
            lock.setInt(1, found.id());
            lock.execute();
        }
    }

    /**
     * The statements are sent together. The last one sees what was committed before the lock was there. A transaction of Jono reads
     * tables by their indexes from now on; in one of the application, its settings stay as they are.
     */
    private static Found lockAndFind(SqlTransaction tx, QueueView view, String name) throws SQLException {
        try (PreparedStatement find = tx.prepare(tx.joined() ? LOCK_AND_FIND : LOCK_AND_FIND_BY_INDEX)) {
            find.setLong(1, view.lockNumber(name));
            find.setString(2, name);
            try (ResultSet row = SqlTransaction.resultAfter(tx.joined() ? 1 : 2, find)) {
                return found(row);
            }
        }
    }

    static void add(SqlTransaction tx, String name) throws SQLException {
        try (PreparedStatement add = tx.prepare(ADD)) {
            add.setString(1, name);
            add.executeUpdate();
        }
    }

    /** Waits until no other transaction adds messages to the queue, and keeps others from doing so. */
    static void lockAlone(SqlTransaction tx, QueueView view) throws SQLException {
        try (PreparedStatement lock = tx.prepare(LOCK_ALONE)) {
            lock.setLong(1, view.lockNumber(view.queue()));
            lock.execute();
        }
    }

    static void setKeyed(SqlTransaction tx, int id, int maxPerKey) throws SQLException {
        try (PreparedStatement set = tx.prepare(SET_KEYED)) {
            set.setInt(1, maxPerKey);
            set.setInt(2, id);
            set.executeUpdate();
        }
    }

    static void remove(SqlTransaction tx, int id) throws SQLException {
        try (PreparedStatement remove = tx.prepare(REMOVE)) {
            remove.setInt(1, id);
            remove.executeUpdate();
        }
    }

    /** The names of all queues, sorted. */
    static List<String> names(SqlTransaction tx) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement select = tx.prepare(NAMES);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
