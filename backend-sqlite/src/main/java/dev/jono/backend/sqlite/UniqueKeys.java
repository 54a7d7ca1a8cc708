package dev.jono.backend.sqlite;

import dev.jono.UniqueKey;
import dev.jono.spi.ForgetRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The message ids that were pushed under unique keys, until the windows of the keys end. */
final class UniqueKeys {
    /** The queue of keys with a scope, which all queues share. */
    private static final long SHARED = 0;

    private static final String FIND =
            "SELECT scope, key, message FROM unique_key WHERE until>? AND (queue, scope, key) IN (VALUES";
    private static final String REMEMBER =
            "INSERT OR REPLACE INTO unique_key(queue, scope, key, message, until) VALUES";
    private static final ListStatements FINDS = ListStatements.repeating(FIND, "(?, ?, ?)", ")");
    private static final ListStatements REMEMBERS = ListStatements.repeating(REMEMBER, "(?, ?, ?, ?, ?)", "");
    private static final String FORGET = "DELETE FROM unique_key WHERE queue=? AND scope=? AND key=? AND message=?";
    private static final String REMOVE_ALL = "DELETE FROM unique_key WHERE queue=?";
    private static final String EXPIRE = "DELETE FROM unique_key WHERE (queue, scope, key) IN"
            + " (SELECT queue, scope, key FROM unique_key WHERE until<=? ORDER BY until LIMIT ?)";

    private UniqueKeys() {}

    /** A text that distinguishes a key from all others of its queue. */
    static String name(UniqueKey unique) {
        return name(unique.scope() == null ? "" : unique.scope(), unique.key());
    }

    private static String name(String scope, String key) {
        return scope.isEmpty() ? key : scope + '\0' + key;
    }

    /** The ids that were pushed under these keys, by the names of the keys; none for a key whose window has ended. */
    static Map<String, String> find(SqliteConnection connection, long queue, List<UniqueKey> keys, long now)
            throws SQLException {
        Map<String, String> found = new HashMap<>();
        FINDS.forEachPart(keys, (sql, part) -> {
            PreparedStatement find = connection.prepare(sql);
            find.setLong(1, now);
            int parameter = 2;
            for (UniqueKey key : part) {
                bind(find, parameter, queue, key.scope(), key.key());
                parameter += 3;
            }
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    found.put(name(rows.getString(1), rows.getString(2)), rows.getString(3));
                }
            }
        });
        return found;
    }

    /** A key, and the id that was pushed under it. */
    record Pushed(UniqueKey unique, String id) {}

    /** Stores different keys, whose windows begin now. */
    static void remember(SqliteConnection connection, long queue, List<Pushed> keys, long now) throws SQLException {
        REMEMBERS.forEachPart(keys, (sql, part) -> {
            PreparedStatement remember = connection.prepare(sql);
            int parameter = 1;
            for (Pushed key : part) {
                bind(remember, parameter, queue, key.unique.scope(), key.unique.key());
                remember.setString(parameter + 3, key.id);
                remember.setLong(parameter + 4, now + key.unique.window().toMillis());
                parameter += 5;
            }
            remember.executeUpdate();
        });
    }

    static boolean forget(Transaction tx, QueueView view, ForgetRequest request) throws SQLException {
        PreparedStatement forget = tx.connection().prepare(FORGET);
        bind(forget, 1, tx.findQueueId(view.queue()), request.scope(), request.key());
        forget.setString(4, request.id());
        return forget.executeUpdate() == 1;
    }

    private static void bind(PreparedStatement statement, int first, long queue, @Nullable String scope, String key)
            throws SQLException {
        statement.setLong(first, scope == null ? queue : SHARED);
        statement.setString(first + 1, scope == null ? "" : scope);
        statement.setString(first + 2, key);
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
