package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The ids of queues in the file, and whether they are keyed. Each transaction looks them up again, because another process
 * may delete a queue, and SQLite may then assign its id to another queue.
 */
final class QueueIds {
    static final long NONE = 0;

    /** A queue that no message was ever stored in. */
    static final Found NOT_FOUND = new Found(NONE, 0);

    private static final String FIND = "SELECT id, keyed FROM queue WHERE name=?";
    private static final String ADD = "INSERT INTO queue(name) VALUES(?)";
    private static final String SET_KEYED = "UPDATE queue SET keyed=? WHERE id=?";
    private static final String REMOVE = "DELETE FROM queue WHERE id=?";

    private QueueIds() {}

    /**
     * A queue in the file.
     *
     * @param maxPerKey most messages of one ordering key that are held at one time; 0 if the queue is not keyed
     */
    record Found(long id, int maxPerKey) {
        boolean keyed() {
            return maxPerKey > 0;
        }
    }

    /** The id of a queue; {@link #NONE} if no message was ever stored in it. */
    static long find(SqliteConnection connection, String name) throws SQLException {
        return lookUp(connection, name).id();
    }

    static Found lookUp(SqliteConnection connection, String name) throws SQLException {
        PreparedStatement find = connection.prepare(FIND);
        find.setString(1, name);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? new Found(rows.getLong(1), rows.getInt(2)) : NOT_FOUND;
        }
    }

    static void add(SqliteConnection connection, String name) throws SQLException {
        PreparedStatement add = connection.prepare(ADD);
        add.setString(1, name);
        add.executeUpdate();
    }

    static void setKeyed(SqliteConnection connection, long id, int maxPerKey) throws SQLException {
        PreparedStatement set = connection.prepare(SET_KEYED);
        set.setInt(1, maxPerKey);
        set.setLong(2, id);
        set.executeUpdate();
    }

    static void remove(SqliteConnection connection, long id) throws SQLException {
        PreparedStatement remove = connection.prepare(REMOVE);
        remove.setLong(1, id);
        remove.executeUpdate();
    }
}
