package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a keyed queue that have an ordering key, in one transaction. Of each key, as many messages as may be held at
 * one time are admitted: their claim is that of any message. The others have the claim {@link Sql#BLOCKED}. The order within a
 * key is that of the row ids.
 *
 * <p>Where one message of a key may be held, the order is strict. Then a message that waits for its due time is admitted too,
 * and blocks the later ones. One holder may have several consecutive messages of a key.
 */
final class KeyedRows {
    private static final String OF_KEY = " FROM message WHERE queue=?1 AND key=?2";

    /** Whether a key has as many admitted messages as it may have. ?3 is the latest due time of those that count. */
    private static final String FULL =
            "(SELECT count(*) FROM (SELECT 1" + OF_KEY + " AND admitted=1 AND (claim>0 OR due<=?3) LIMIT ?4))>=?4";

    /** By key, how many admitted messages count, up to the limit. The keys are the parameters after the first three. */
    private static final ListStatements COUNT_ADMITTED = ListStatements.repeating(
            "SELECT column1, (SELECT count(*) FROM (SELECT 1 FROM message WHERE queue=?1 AND key=column1 AND admitted=1"
                    + " AND (claim>0 OR due<=?2) LIMIT ?3)) FROM (VALUES ",
            "(?)",
            ")");

    private static final String SET_KEY =
            "UPDATE message SET key=?2, (claim, admitted)=" + "(SELECT claim*free, free FROM (SELECT NOT (?4 AND "
                    + FULL.replace("?4", "?5") + ") AS free)) WHERE id=?6";
    /** Two statements are faster than one that returns what it changed: SQLite keeps such rows in a table of their own. */
    private static final String NEXT_BLOCKED =
            "SELECT id, due" + OF_KEY + " AND claim=0 AND NOT " + FULL + " ORDER BY id LIMIT 1";

    private static final String PROMOTE = "UPDATE message SET claim=" + Sql.UNCLAIMED + ", admitted=1, due=?1, lease="
            + Sql.FREE_LEASE + " WHERE id=?2";
    private static final String BLOCKED_KEYS = "SELECT DISTINCT key FROM message WHERE queue=? AND claim=0";
    private static final String DISPLACE =
            "UPDATE message SET claim=0, admitted=0 WHERE queue=?1 AND key=?2 AND admitted=1 AND claim<0 AND due<=?3 AND id>?4";
    private static final String TAKE_BACK = "UPDATE message SET claim=0, admitted=0, tries=max(0, tries-(lease>?4))"
            + " WHERE queue=?1 AND key=?2 AND admitted=1 AND claim>0 AND id>?3";
    private static final String BLOCK = "UPDATE message SET claim=0, admitted=0 WHERE id=?";
    private static final String FOLLOWING = "SELECT " + Sql.COLUMNS + OF_KEY + " AND claim=0 ORDER BY id LIMIT ?3";
    private static final String IS_BEHIND_ANOTHER = "SELECT EXISTS(SELECT 1" + OF_KEY + " AND admitted=1 AND id<?3)";
    private static final String COUNT_HELD =
            "SELECT count(*) FROM (SELECT 1" + OF_KEY + " AND admitted=1 AND claim>0 LIMIT ?3)";

    private final SqliteConnection connection;
    private final String queueName;
    private final long queue;
    private final int maxPerKey;
    private final long now;

    /** Keys of which a message has left, or became due later. */
    private final LinkedHashSet<String> changed = new LinkedHashSet<>();

    private long promotedMillis = Long.MAX_VALUE;

    private KeyedRows(SqliteConnection connection, String queueName, QueueIds.Found queue, long now) {
        this.connection = connection;
        this.queueName = queueName;
        this.queue = queue.id();
        this.maxPerKey = queue.maxPerKey();
        this.now = now;
    }

    /** The rows of a queue; null if it is not keyed. */
    static @Nullable KeyedRows of(Transaction tx, String queue, long now) throws SQLException {
        QueueIds.Found found = tx.findQueue(queue);
        return found.keyed() ? new KeyedRows(tx.connection(), queue, found, now) : null;
    }

    boolean strict() {
        return maxPerKey == 1;
    }

    /** The latest due time of a message that counts as admitted. */
    private long countsUntil() {
        return strict() ? Long.MAX_VALUE : now;
    }

    private PreparedStatement ofKey(String sql, String key) throws SQLException {
        PreparedStatement statement = connection.prepare(sql);
        statement.setLong(1, queue);
        statement.setString(2, key);
        return statement;
    }

    /** The room of keys for new messages. */
    KeyRoom room(Set<String> keys) throws SQLException {
        Map<String, Integer> admitted = new HashMap<>();
        COUNT_ADMITTED.forEachPart(List.copyOf(keys), (sql, part) -> {
            PreparedStatement count = connection.prepare(sql);
            count.setLong(1, queue);
            count.setLong(2, countsUntil());
            count.setInt(3, maxPerKey);
            for (int i = 0; i < part.size(); i++) {
                count.setString(4 + i, part.get(i));
            }
            try (ResultSet rows = count.executeQuery()) {
                while (rows.next()) {
                    admitted.put(rows.getString(1), rows.getInt(2));
                }
            }
        });
        return new KeyRoom(admitted, maxPerKey, countsUntil());
    }

    /** Gives a moved message, which is the last of the queue, its key, and blocks it if the key is full. */
    void added(long row, String key, long dueMillis) throws SQLException {
        PreparedStatement set = ofKey(SET_KEY, key);
        set.setLong(3, countsUntil());
        set.setBoolean(4, dueMillis <= countsUntil());
        set.setInt(5, maxPerKey);
        set.setLong(6, row);
        set.executeUpdate();
    }

    /** Gives a restored message its key. Later messages that no consumer holds give way to it. */
    void restored(long row, String key, long dueMillis) throws SQLException {
        PreparedStatement displace = ofKey(DISPLACE, key);
        displace.setLong(3, countsUntil());
        displace.setLong(4, row);
        displace.executeUpdate();
        added(row, key, dueMillis);
        changed.add(key);
    }

    /** A message of this key has left the queue, or became due later; {@link #promote} follows. */
    void left(@Nullable String key) {
        if (key != null) {
            changed.add(key);
        }
    }

    /** Admits the next messages of the keys that have changed. They are due from now on, so that no key starves the others. */
    void promote() throws SQLException {
        for (String key : changed) {
            boolean more = promote(key);
            while (more && !strict()) {
                more = promote(key);
            }
        }
        changed.clear();
    }

    /** Admits the next message of a key; false if there is none, or the key is full. */
    private boolean promote(String key) throws SQLException {
        PreparedStatement next = ofKey(NEXT_BLOCKED, key);
        next.setLong(3, countsUntil());
        next.setInt(4, maxPerKey);
        long row;
        long due;
        try (ResultSet rows = next.executeQuery()) {
            if (!rows.next()) {
                return false;
            }
            row = rows.getLong(1);
            due = Math.max(rows.getLong(2), now);
        }
        PreparedStatement promote = connection.prepare(PROMOTE);
        promote.setLong(1, due);
        promote.setLong(2, row);
        promote.executeUpdate();
        promotedMillis = Math.min(promotedMillis, due);
        return true;
    }

    /** Admits the next messages of all keys. */
    void promoteAll() throws SQLException {
        PreparedStatement keys = connection.prepare(BLOCKED_KEYS);
        keys.setLong(1, queue);
        try (ResultSet rows = keys.executeQuery()) {
            while (rows.next()) {
                changed.add(rows.getString(1));
            }
        }
        promote();
    }

    /** The earliest due time of the messages that were admitted; empty for none. */
    OptionalLong promotedMillis() {
        return promotedMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(promotedMillis);
    }

    /** Whether a message must wait because an earlier one of its key is held or waits, in a queue of strict order. */
    boolean isBehindAnother(long row, String key) throws SQLException {
        if (!strict()) {
            return false;
        }
        PreparedStatement earlier = ofKey(IS_BEHIND_ANOTHER, key);
        earlier.setLong(3, row);
        try (ResultSet rows = earlier.executeQuery()) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /**
     * Takes the later messages of a key from their holder, uncounted, because this one goes back or gets another holder. A
     * delivery whose lease has ended counts.
     */
    void takeBackBehind(long row, String key) throws SQLException {
        if (strict()) {
            PreparedStatement takeBack = ofKey(TAKE_BACK, key);
            takeBack.setLong(3, row);
            takeBack.setLong(4, now);
            takeBack.executeUpdate();
        }
    }

    /** Whether as many messages of a key are held as may be. Those whose leases have ended count. */
    boolean allHeld(String key, int alsoHeld) throws SQLException {
        PreparedStatement held = ofKey(COUNT_HELD, key);
        held.setInt(3, maxPerKey);
        try (ResultSet rows = held.executeQuery()) {
            rows.next();
            return rows.getInt(1) + alsoHeld >= maxPerKey;
        }
    }

    /** Blocks a message that was admitted. */
    void block(long row) throws SQLException {
        PreparedStatement block = connection.prepare(BLOCK);
        block.setLong(1, row);
        block.executeUpdate();
    }

    /** The first blocked messages of a key. */
    List<MessageRow> following(String key, int max) throws SQLException {
        List<MessageRow> found = new ArrayList<>();
        PreparedStatement select = ofKey(FOLLOWING, key);
        select.setInt(3, max);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(MessageRow.read(rows, queueName));
            }
        }
        return found;
    }

    /** Notes the keys of messages that have left the queue, and admits the next ones. */
    void allLeft(Collection<MessageRow> rows) throws SQLException {
        rows.forEach(row -> left(row.key()));
        promote();
    }
}
