package dev.jono.backend.postgres;

import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ordering keys of a keyed queue, within one transaction. Of each key, as many messages as may be held at one time are
 * admitted: free or held. The others are blocked. The order within a key is that of the row ids.
 *
 * <p>A transaction that adds a message locks the row of its key until the commit, so the messages of a key are committed in the
 * order of their ids, however long a transaction takes. A transaction that ends a message admits the next one under the same
 * lock, but does not wait for it: if another one has it, it leaves a row in {@code promotion}, and the next claim does the
 * work. So a producer that is slow to commit never holds up those that settle messages.
 *
 * <p>Where one message of a key may be held, the order is strict. Then a message that waits for its due time is admitted too,
 * and blocks the later ones. One holder may have several consecutive messages of a key.
 */
final class OrderingKeys {
    private static final String LOCK =
            "INSERT INTO jono.ordering_key (queue, key) SELECT ?, k FROM unnest(?::text[]) AS k"
                    + " ORDER BY k COLLATE \"C\" ON CONFLICT (queue, key) DO UPDATE SET key = EXCLUDED.key";
    /** Parameters are the queue and the keys. */
    private static final String TRY_LOCK = "WITH queue AS MATERIALIZED (SELECT ?::integer AS id),"
            + " changed AS MATERIALIZED (SELECT DISTINCT key FROM unnest(?::text[]) AS key)," + PromotionSql.LOCK
            + " SELECT " + PromotionSql.HAND_OVER + ", " + PromotionSql.POSTPONED;

    private static final String PROMOTE = PromotionSql.promote("?::integer");
    private static final String LOCK_AND_PROMOTE = TRY_LOCK + "; " + PROMOTE;

    /** The admitted messages of a key that count: parameters are the queue, the latest due time and the limit. */
    private static final String ADMITTED = "(SELECT count(*) FROM (SELECT 1 FROM jono.message a WHERE a.queue = ?"
            + " AND a.key = k.key AND a.state < 2 AND (a.state = 1 OR a.due <= ?) LIMIT ?) AS counted)";

    /** {@code OFFSET 0} makes the server look up each key, instead of reading all blocked messages of the queue once. */
    private static final String HAS_BLOCKED =
            "EXISTS (SELECT 1 FROM jono.message b WHERE b.queue = ? AND b.key = k.key AND b.state = 2 OFFSET 0)";

    private static final String ROOM =
            "SELECT k.key, " + ADMITTED + ", " + HAS_BLOCKED + " FROM unnest(?::text[]) AS k(key)";

    private static final String DISPLACE =
            "UPDATE jono.message SET state = 2 WHERE queue = ? AND key = ? AND state = 0" + " AND due <= ? AND id > ?";
    private static final String TAKE_BACK = "UPDATE jono.message SET state = 2, claim = 0,"
            + " tries = greatest(0, tries - CASE WHEN lease > ? THEN 1 ELSE 0 END)"
            + " WHERE queue = ? AND key = ? AND state = 1 AND id > ?";
    private static final String BLOCK_BEHIND = "UPDATE jono.message m SET state = 2 WHERE m.id = ? AND m.state = 0"
            + " AND EXISTS (SELECT 1 FROM jono.message e WHERE e.queue = m.queue AND e.key = m.key AND e.state < 2"
            + " AND e.id < m.id)";

    private final SqlTransaction tx;
    private final Queues.Found queue;
    private long promotedMillis = Long.MAX_VALUE;

    OrderingKeys(SqlTransaction tx, Queues.Found queue) {
        this.tx = tx;
        this.queue = queue;
    }

    /** The latest due time of a message that counts as admitted. */
    private long countsUntil() {
        return queue.strict() ? Long.MAX_VALUE : queue.nowMillis();
    }

    /** Whether a free message with this due time takes one of the places of its key. In strict order, each one does. */
    boolean takesRoom(long dueMillis) {
        return dueMillis <= countsUntil();
    }

    /** Locks keys until the transaction ends, in their order. Waits for transactions that have locked them. */
    void lock(Set<String> keys) throws SQLException {
        try (PreparedStatement lock = tx.prepare(LOCK)) {
            lock.setInt(1, queue.id());
            lock.setArray(2, tx.texts(new TreeSet<>(keys)));
            lock.executeUpdate();
        }
    }

    /** How many more messages of keys may be admitted; the keys are locked. In strict order, none while others are blocked. */
    Map<String, Integer> room(Set<String> keys) throws SQLException {
        Map<String, Integer> room = new HashMap<>();
        try (PreparedStatement select = tx.prepare(ROOM)) {
            select.setInt(1, queue.id());
            select.setLong(2, countsUntil());
            select.setInt(3, queue.maxPerKey());
            select.setInt(4, queue.id());
            select.setArray(5, tx.texts(keys));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    boolean full = queue.strict() && rows.getBoolean(3);
                    room.put(rows.getString(1), full ? 0 : queue.maxPerKey() - rows.getInt(2));
                }
            }
        }
        return room;
    }

    /**
     * Admits the next messages of keys, because others have left or became due later. Does not wait for locked keys. Promoted
     * messages are due from now on, so that no key starves the others. One that is due later takes no room.
     */
    void promote(Set<String> keys) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        boolean again;
        try (PreparedStatement promote = tx.prepare(LOCK_AND_PROMOTE)) {
            promote.setInt(1, queue.id());
            promote.setArray(2, tx.texts(keys));
            bindPromote(promote, 3);
            try (ResultSet locked = SqlTransaction.resultAfter(0, promote)) {
                locked.next();
                if (locked.getBoolean(2)) {
                    promotedMillis = Math.min(promotedMillis, queue.nowMillis());
                }
            }
            promote.getMoreResults();
            again = readPromoted(promote.getResultSet());
        }
        while (again) {
            try (PreparedStatement promote = tx.prepare(PROMOTE)) {
                bindPromote(promote, 1);
                again = readPromoted(promote.executeQuery());
            }
        }
    }

    private void bindPromote(PreparedStatement statement, int first) throws SQLException {
        statement.setLong(first, queue.nowMillis());
        statement.setInt(first + 1, queue.id());
        statement.setInt(first + 2, queue.maxPerKey());
        statement.setLong(first + 3, countsUntil());
        statement.setInt(first + 4, queue.maxPerKey());
    }

    /** Reads the due times of promoted messages. Returns whether there may be room for more. */
    private boolean readPromoted(ResultSet promoted) throws SQLException {
        boolean again = false;
        try (ResultSet rows = promoted) {
            while (rows.next()) {
                long due = rows.getLong(1);
                promotedMillis = Math.min(promotedMillis, due);
                again |= !takesRoom(due);
            }
        }
        return again;
    }

    /** The earliest due time of the messages that were admitted; empty for none. */
    OptionalLong promotedMillis() {
        return promotedMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(promotedMillis);
    }

    /** Blocks the later messages of a key that no consumer holds, before an earlier one is put back. The key is locked. */
    void displace(String key, long row) throws SQLException {
        try (PreparedStatement displace = tx.prepare(DISPLACE)) {
            displace.setInt(1, queue.id());
            displace.setString(2, key);
            displace.setLong(3, countsUntil());
            displace.setLong(4, row);
            displace.executeUpdate();
        }
    }

    /**
     * Takes the later messages of a key from their holder, uncounted, because this one goes back or gets another holder. A
     * delivery whose lease has ended counts.
     */
    void takeBackBehind(long row, String key) throws SQLException {
        if (!queue.strict()) {
            return;
        }
        try (PreparedStatement takeBack = tx.prepare(TAKE_BACK)) {
            takeBack.setLong(1, queue.nowMillis());
            takeBack.setInt(2, queue.id());
            takeBack.setString(3, key);
            takeBack.setLong(4, row);
            takeBack.executeUpdate();
        }
    }

    /** Blocks a released message if an earlier one of its key is free or held, in a queue of strict order. */
    void blockBehind(long row) throws SQLException {
        if (!queue.strict()) {
            return;
        }
        try (PreparedStatement block = tx.prepare(BLOCK_BEHIND)) {
            block.setLong(1, row);
            block.executeUpdate();
        }
    }
}
