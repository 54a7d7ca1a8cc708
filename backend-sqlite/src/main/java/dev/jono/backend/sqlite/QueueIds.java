package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The numbers of queues, as they stand in the file. They are looked up in each transaction: another process may delete a
 * queue, and its number may then be another's.
 */
final class QueueIds {
    static final long NONE = 0;

    private static final String FIND = "SELECT id FROM queue WHERE name=?";
    private static final String ADD = "INSERT INTO queue(name) VALUES(?)";
    private static final String REMOVE = "DELETE FROM queue WHERE id=?";

    private QueueIds() {}

    /** The number of a queue; {@link #NONE} when nothing was ever stored in it. */
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
