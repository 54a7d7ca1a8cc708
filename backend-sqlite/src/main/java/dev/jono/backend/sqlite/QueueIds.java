package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The ids of queues in the file. Each transaction looks them up again, because another process may delete a queue, and
 * SQLite may then assign its id to another queue.
 */
final class QueueIds {
    static final long NONE = 0;

    private static final String FIND = "SELECT id FROM queue WHERE name=?";
    private static final String ADD = "INSERT INTO queue(name) VALUES(?)";
    private static final String REMOVE = "DELETE FROM queue WHERE id=?";

    private QueueIds() {}

    /** The id of a queue; {@link #NONE} if no message was ever stored in it. */
    static long find(SqliteConnection connection, String name) throws SQLException {
        PreparedStatement find = connection.prepare(FIND);
        find.setString(1, name);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? rows.getLong(1) : NONE;
        }
    }

    static void add(SqliteConnection connection, String name) throws SQLException {
        PreparedStatement add = connection.prepare(ADD);
        add.setString(1, name);
        add.executeUpdate();
    }

    static void remove(SqliteConnection connection, long id) throws SQLException {
        PreparedStatement remove = connection.prepare(REMOVE);
        remove.setLong(1, id);
        remove.executeUpdate();
    }
}
