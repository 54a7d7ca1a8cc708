package dev.jono.backend.postgres;

import dev.jono.backend.postgres.Inserts.NewRow;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Stores messages under ids that they have already. An id that this database assigned names its row. Any other id belongs to
 * another storage and is stored as text. An id whose row another queue uses is stored as text too.
 */
final class GivenIds {
    private static final String LAST_ID = "SELECT last_value FROM jono.message_id";
    private static final String OWNER = "SELECT queue FROM jono.message WHERE id = ? FOR UPDATE";
    private static final String TAKEN = "SELECT 1 FROM jono.message WHERE queue = ? AND xid = ? FOR UPDATE";
    private static final String FORGET_HISTORY = "DELETE FROM jono.history WHERE id = ?";

    private final SqlTransaction tx;
    private final Queues.Found queue;
    private final NewRows rows;

    GivenIds(SqlTransaction tx, Queues.Found queue, NewRows rows) {
        this.tx = tx;
        this.queue = queue;
        this.rows = rows;
    }

    /**
     * Stores a message; false if the queue has a message of this id.
     *
     * @param restored whether the message was taken from this queue, and goes before the later ones of its ordering key
     */
    boolean store(String id, NewRow row, boolean restored) throws SQLException {
        NewRow placed = placed(id, row);
        if (placed == null) {
            return false;
        }
        String key = row.key();
        OrderingKeys keys = new OrderingKeys(tx, queue);
        if (restored && queue.keyed() && key != null) {
            keys.lock(Set.of(key));
            if (placed.id() != null) {
                keys.displace(key, placed.id());
            }
        }
        List<Long> stored = rows.insert(List.of(placed), MessageRow.LEASED_ELSEWHERE);
        if (restored && queue.keyed() && key != null) {
            keys.promote(Set.of(key));
        }
        return !stored.isEmpty();
    }

    private @org.jspecify.annotations.Nullable NewRow placed(String id, NewRow row) throws SQLException {
        long number = Ids.row(id);
        if (number > 0 && number <= lastId()) {
            int owner = owner(number);
            if (owner == queue.id()) {
                return null;
            }
            if (owner == Queues.Found.NONE) {
                forgetHistory(number);
                return row.withId(number);
            }
        }
        return isTaken(id) ? null : row.withXid(id);
    }

    private long lastId() throws SQLException {
        try (PreparedStatement select = tx.prepare(LAST_ID);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private int owner(long id) throws SQLException {
        try (PreparedStatement select = tx.prepare(OWNER)) {
            select.setLong(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getInt(1) : Queues.Found.NONE;
            }
        }
    }

    private boolean isTaken(String xid) throws SQLException {
        try (PreparedStatement select = tx.prepare(TAKEN)) {
            select.setInt(1, queue.id());
            select.setString(2, xid);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** A message that comes back replaces its own history. */
    private void forgetHistory(long id) throws SQLException {
        try (PreparedStatement forget = tx.prepare(FORGET_HISTORY)) {
            forget.setLong(1, id);
            forget.executeUpdate();
        }
    }
}
