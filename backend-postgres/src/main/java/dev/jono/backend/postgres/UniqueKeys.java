package dev.jono.backend.postgres;

import dev.jono.UniqueKey;
import dev.jono.spi.ForgetRequest;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The message ids that were pushed under unique keys, until the windows of the keys end. Of transactions that compete for a
 * key, the second waits for the commit of the first. Used by one thread, within one transaction.
 */
final class UniqueKeys {
    /** The queue of keys with a scope, which all queues share. */
    private static final int SHARED = 0;

    private static final int MAX_ATTEMPTS = 20;

    private static final String REMEMBER = "INSERT INTO jono.unique_key AS known (queue, scope, key, message, until)"
            + " SELECT r.queue, r.scope, r.key, r.message, r.until"
            + " FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[])"
            + " AS r(queue, scope, key, message, until) ORDER BY r.queue, r.scope COLLATE \"C\", r.key COLLATE \"C\""
            + " ON CONFLICT (queue, scope, key) DO UPDATE SET message = EXCLUDED.message, until = EXCLUDED.until"
            + " WHERE known.until <= ? RETURNING queue, scope, key, message";
    private static final String FIND = "SELECT k.queue, k.scope, k.key, k.message FROM jono.unique_key k"
            + " JOIN unnest(?::integer[], ?::text[], ?::text[]) AS r(queue, scope, key)"
            + " ON k.queue = r.queue AND k.scope = r.scope AND k.key = r.key";
    private static final String FORGET =
            "DELETE FROM jono.unique_key WHERE queue = ? AND scope = ? AND key = ? AND message = ?";
    private static final String REMOVE_ALL = "DELETE FROM jono.unique_key WHERE queue = ?";

    private final SqlTransaction tx;
    private final Queues.Found queue;

    UniqueKeys(SqlTransaction tx, Queues.Found queue) {
        this.tx = tx;
        this.queue = queue;
    }

    /** What identifies a key in the table. */
    record Name(int queue, String scope, String key) {
        private static final Comparator<Name> ORDER =
                Comparator.comparingInt(Name::queue).thenComparing(Name::scope).thenComparing(Name::key);
    }

    Name name(@Nullable String scope, String key) {
        return scope == null ? new Name(queue.id(), "", key) : new Name(SHARED, scope, key);
    }

    /**
     * Remembers the ids of messages under keys that are not remembered, or whose windows have ended.
     *
     * @param wanted by key, the id of the message
     * @param windows by key, its window
     * @return by key, the id that is remembered now: the one wanted, or that of an earlier message
     */
    Map<Name, String> remember(Map<Name, String> wanted, Map<Name, UniqueKey> windows) throws SQLException {
        Map<Name, String> found = new HashMap<>();
        for (int attempt = 1; found.size() < wanted.size(); attempt++) {
            if (attempt > MAX_ATTEMPTS) {
                throw new SQLException("unique keys come and go faster than they can be read");
            }
            List<Name> missing = wanted.keySet().stream()
                    .filter(name -> !found.containsKey(name))
                    .sorted(Name.ORDER)
                    .toList();
            found.putAll(remember(missing, wanted, windows));
            // The others are remembered, or were when the statement began.
            List<Name> others =
                    missing.stream().filter(name -> !found.containsKey(name)).toList();
            if (!others.isEmpty()) {
                found.putAll(find(others));
            }
        }
        return found;
    }

    private Map<Name, String> remember(List<Name> names, Map<Name, String> wanted, Map<Name, UniqueKey> windows)
            throws SQLException {
        try (PreparedStatement remember = tx.prepare(REMEMBER)) {
            bind(remember, names);
            remember.setArray(
                    4, tx.texts(names.stream().map(name -> of(wanted, name)).toList()));
            remember.setArray(
                    5,
                    tx.longs(names.stream()
                            .map(name -> queue.nowMillis()
                                    + of(windows, name).window().toMillis())
                            .toList()));
            remember.setLong(6, queue.nowMillis());
            return messages(remember);
        }
    }

    private static <V> V of(Map<Name, V> values, Name name) {
        return Objects.requireNonNull(values.get(name), "no value of a unique key");
    }

    private Map<Name, String> find(List<Name> names) throws SQLException {
        try (PreparedStatement find = tx.prepare(FIND)) {
            bind(find, names);
            return messages(find);
        }
    }

    private void bind(PreparedStatement statement, List<Name> names) throws SQLException {
        statement.setArray(
                1, tx.array("integer", names.stream().map(Name::queue).toArray(Integer[]::new)));
        statement.setArray(2, texts(names, Name::scope));
        statement.setArray(3, texts(names, Name::key));
    }

    private java.sql.Array texts(List<Name> names, Function<Name, String> text) throws SQLException {
        return tx.texts(names.stream().map(text).toList());
    }

    private static Map<Name, String> messages(PreparedStatement statement) throws SQLException {
        Map<Name, String> found = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.put(new Name(rows.getInt(1), rows.getString(2), rows.getString(3)), rows.getString(4));
            }
        }
        return found;
    }

    boolean forget(ForgetRequest request) throws SQLException {
        Name name = name(request.scope(), request.key());
        try (PreparedStatement forget = tx.prepare(FORGET)) {
            forget.setInt(1, name.queue());
            forget.setString(2, name.scope());
            forget.setString(3, name.key());
            forget.setString(4, Ids.text(request.id()));
            return forget.executeUpdate() == 1;
        }
    }

    /** Removes the keys of a deleted queue. */
    void removeAll() throws SQLException {
        try (PreparedStatement remove = tx.prepare(REMOVE_ALL)) {
            remove.setInt(1, queue.id());
            remove.executeUpdate();
        }
    }
}
