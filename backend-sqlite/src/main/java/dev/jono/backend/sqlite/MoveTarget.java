package dev.jono.backend.sqlite;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Stores moved messages in other queues of the file. Within a transaction, on the writer's thread. */
final class MoveTarget {
    private final Transaction tx;
    private final SqliteConnection connection;
    private final long queue;
    private final long now;

    /**
     * A target of moves.
     *
     * @param view the queue that the messages leave
     */
    MoveTarget(Transaction tx, QueueView view, long now) throws SQLException {
        this.tx = tx;
        this.connection = tx.connection();
        this.queue = tx.findQueueId(view.queue());
        this.now = now;
    }

    /** Moves a row. A message that the target holds under the same id stays as it is, and the row is removed. */
    void store(
            long row,
            @Nullable String xid,
            String toQueue,
            long due,
            int tries,
            @Nullable String headers,
            @Nullable EncodedPayload payload)
            throws SQLException {
        long target = tx.queueId(toQueue);
        if (xid != null && target != queue && holds(target, xid)) {
            delete(row);
            return;
        }
        update(row, target, due, tries, headers, payload);
        KeyedRows keyed = KeyedRows.of(tx, toQueue, now);
        String key = keyed == null ? null : Moves.readable(headers).string(Headers.KEY);
        if (keyed != null && key != null) {
            keyed.added(last(row), key, due);
        }
    }

    private boolean holds(long target, String xid) throws SQLException {
        PreparedStatement find = connection.prepare("SELECT 1 FROM message WHERE queue=? AND xid=?");
        find.setLong(1, target);
        find.setString(2, xid);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next();
        }
    }

    private void update(
            long row, long target, long due, int tries, @Nullable String headers, @Nullable EncodedPayload payload)
            throws SQLException {
        PreparedStatement move = connection.prepare(Sql.MOVE);
        move.setLong(1, target);
        move.setLong(2, due);
        move.setInt(3, tries);
        move.setString(4, headers);
        if (payload == null) {
            move.setNull(5, Types.BLOB);
            move.setNull(6, Types.INTEGER);
        } else {
            move.setBytes(5, payload.bytes());
            move.setInt(6, MessageRow.code(payload.kind()));
        }
        move.setLong(7, row);
        move.executeUpdate();
    }

    /** Makes a row the last of its queue; returns its new id. */
    private long last(long row) throws SQLException {
        long id;
        try (ResultSet rows = connection.prepare(Sql.LAST_ID).executeQuery()) {
            id = rows.next() ? rows.getLong(1) + 1 : 1;
        }
        PreparedStatement renumber = connection.prepare(Sql.RENUMBER);
        renumber.setLong(1, id);
        renumber.setLong(2, row);
        renumber.executeUpdate();
        PreparedStatement set = connection.prepare(Sql.SET_LAST_ID);
        set.setLong(1, id);
        set.executeUpdate();
        tx.forgetLastId();
        return id;
    }

    private void delete(long row) throws SQLException {
        PreparedStatement delete = connection.prepare(Sql.DELETE);
        delete.setLong(1, row);
        delete.executeUpdate();
    }
}
