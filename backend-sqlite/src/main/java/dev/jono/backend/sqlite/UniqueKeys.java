package dev.jono.backend.sqlite;

import dev.jono.UniqueKey;
import dev.jono.spi.ForgetRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The message ids that were pushed under unique keys, until the windows of the keys end. */
final class UniqueKeys {
    /** The queue of keys with a scope, which all queues share. */
    private static final long SHARED = 0;

    private static final String FIND = "SELECT message FROM unique_key WHERE queue=? AND scope=? AND key=? AND until>?";
    private static final String REMEMBER =
            "INSERT OR REPLACE INTO unique_key(queue, scope, key, message, until) VALUES(?, ?, ?, ?, ?)";
    private static final String FORGET = "DELETE FROM unique_key WHERE queue=? AND scope=? AND key=? AND message=?";
    private static final String REMOVE_ALL = "DELETE FROM unique_key WHERE queue=?";
    private static final String EXPIRE = "DELETE FROM unique_key WHERE (queue, scope, key) IN"
            + " (SELECT queue, scope, key FROM unique_key WHERE until<=? ORDER BY until LIMIT ?)";

    private UniqueKeys() {}

    /** A text that distinguishes a key from all others of its queue. */
    static String name(UniqueKey unique) {
        return unique.scope() == null ? unique.key() : unique.scope() + '\0' + unique.key();
    }

    /** The id that was pushed under a key whose window has not ended; null for none. */
    static @Nullable String find(SqliteConnection connection, long queue, UniqueKey unique, long now)
            throws SQLException {
        PreparedStatement find = connection.prepare(FIND);
        bind(find, queue, unique.scope(), unique.key());
        find.setLong(4, now);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    static void remember(SqliteConnection connection, long queue, UniqueKey unique, String id, long now)
            throws SQLException {
        PreparedStatement remember = connection.prepare(REMEMBER);
        bind(remember, queue, unique.scope(), unique.key());
        remember.setString(4, id);
        remember.setLong(5, now + unique.window().toMillis());
        remember.executeUpdate();
    }

    static boolean forget(Transaction tx, QueueView view, ForgetRequest request) throws SQLException {
        PreparedStatement forget = tx.connection().prepare(FORGET);
        bind(forget, tx.findQueueId(view.queue()), request.scope(), request.key());
        forget.setString(4, request.id());
        return forget.executeUpdate() == 1;
    }

    private static void bind(PreparedStatement statement, long queue, @Nullable String scope, String key)
            throws SQLException {
        statement.setLong(1, scope == null ? queue : SHARED);
        statement.setString(2, scope == null ? "" : scope);
        statement.setString(3, key);
    }

    /** Removes the keys of a deleted queue. */
    static void removeAll(SqliteConnection connection, long queue) throws SQLException {
        PreparedStatement remove = connection.prepare(REMOVE_ALL);
        remove.setLong(1, queue);
        remove.executeUpdate();
    }

    /** Removes keys whose windows have ended; returns whether it removed as many as it may. */
    static boolean expire(SqliteConnection connection, long now, int rows) throws SQLException {
        PreparedStatement expire = connection.prepare(EXPIRE);
        expire.setLong(1, now);
        expire.setInt(2, rows);
        return expire.executeUpdate() == rows;
    }
}
