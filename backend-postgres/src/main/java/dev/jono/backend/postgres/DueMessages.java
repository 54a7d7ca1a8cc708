package dev.jono.backend.postgres;

import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The due messages of a keyed queue, in the order of the queue, locked until the transaction ends. Messages that others have
 * locked are skipped. Used by one thread, for one call.
 */
final class DueMessages {
    private static final String FREE =
            "SELECT " + MessageRow.COLUMNS + " FROM jono.message m WHERE m.queue = ? AND m.state = 0"
                    + " AND m.due <= ? ORDER BY m.due, m.id LIMIT ? FOR UPDATE SKIP LOCKED";

    /** Where the order is strict, an earlier message of the same key comes first. */
    private static final String EXPIRED = "SELECT " + MessageRow.COLUMNS + " FROM jono.message m WHERE m.queue = ?"
            + " AND m.state = 1 AND m.lease <= ? AND NOT (? AND m.key IS NOT NULL AND EXISTS (SELECT 1 FROM jono.message e"
            + " WHERE e.queue = m.queue AND e.key = m.key AND e.state < 2 AND e.id < m.id))"
            + " ORDER BY m.lease, m.id LIMIT ? FOR UPDATE OF m SKIP LOCKED";

    private static final String FOLLOWING = "SELECT " + MessageRow.COLUMNS + " FROM jono.message m WHERE m.queue = ?"
            + " AND m.key = ? AND m.state = 2 ORDER BY m.id LIMIT ? FOR UPDATE";

    private static final int MAX_PROMOTIONS = 100;
    private static final String PROMOTIONS = "DELETE FROM jono.promotion WHERE ctid = ANY (ARRAY (SELECT ctid"
            + " FROM jono.promotion WHERE queue = ? LIMIT " + MAX_PROMOTIONS
            + " FOR UPDATE SKIP LOCKED)) RETURNING key";

    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;

    private final boolean lookFurther;

    private boolean promoted;
    private boolean more;

    /** @param lookFurther whether to look for ended leases and postponed promotions although enough messages are free */
    DueMessages(SqlTransaction tx, QueueView view, Queues.Found queue, boolean lookFurther) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
        this.lookFurther = lookFurther;
    }

    /**
     * Admits the next messages of keys that were locked when others left. Keys that are still locked are left again.
     *
     * @return whether there were such keys
     */
    private boolean promotePostponed() throws SQLException {
        promoted = true;
        Set<String> postponed = new HashSet<>();
        try (PreparedStatement remove = tx.prepare(PROMOTIONS)) {
            remove.setInt(1, queue.id());
            try (ResultSet rows = remove.executeQuery()) {
                while (rows.next()) {
                    postponed.add(rows.getString(1));
                }
            }
        }
        new OrderingKeys(tx, queue).promote(postponed);
        return !postponed.isEmpty();
    }

    /** Reads due messages, up to a number. Ended leases and postponed promotions can wait while enough messages are free. */
    List<MessageRow> read(int max) throws SQLException {
        if (lookFurther && !promoted) {
            var unused = promotePostponed();
        }
        List<MessageRow> rows = readFree(max);
        if (rows.size() < max && !promoted && promotePostponed()) {
            rows = readFree(max);
        }
        if (rows.size() < max || lookFurther) {
            rows.addAll(readExpired(max));
        }
        rows.sort(MessageRow.ORDER);
        if (rows.size() > max) {
            more = true;
            rows.subList(max, rows.size()).clear();
        }
        return rows;
    }

    private List<MessageRow> readFree(int max) throws SQLException {
        try (PreparedStatement free = tx.prepare(FREE)) {
            free.setInt(1, queue.id());
            free.setLong(2, queue.nowMillis());
            free.setInt(3, max);
            return limited(free);
        }
    }

    private List<MessageRow> readExpired(int max) throws SQLException {
        try (PreparedStatement expired = tx.prepare(EXPIRED)) {
            expired.setInt(1, queue.id());
            expired.setLong(2, queue.nowMillis());
            expired.setBoolean(3, queue.strict());
            expired.setInt(4, max);
            return limited(expired);
        }
    }

    private List<MessageRow> limited(PreparedStatement select) throws SQLException {
        List<MessageRow> found = new ArrayList<>();
        long bytes = 0;
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                MessageRow row = MessageRow.read(rows, view.queue());
                if (bytes > HandOutSql.MAX_BYTES) {
                    more = true;
                    break;
                }
                bytes += row.payload().size();
                found.add(row);
            }
        }
        return found;
    }

    /** Whether there were due messages that were not read. */
    boolean more() {
        return more;
    }

    /** The first blocked messages of a key. */
    List<MessageRow> following(String key, int max) throws SQLException {
        try (PreparedStatement select = tx.prepare(FOLLOWING)) {
            select.setInt(1, queue.id());
            select.setString(2, key);
            select.setInt(3, max);
            return limited(select);
        }
    }
}
