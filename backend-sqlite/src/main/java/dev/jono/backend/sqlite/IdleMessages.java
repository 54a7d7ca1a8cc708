package dev.jono.backend.sqlite;

import dev.jono.EditOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds messages by id and changes those that no consumer holds. Within a transaction, on the writer's thread. */
final class IdleMessages {
    private static final String FIND =
            "SELECT id, claim, lease, key FROM message WHERE id=?3 AND +queue=?1 AND xid IS NULL"
                    + " UNION ALL SELECT id, claim, lease, key FROM message WHERE queue=?1 AND xid=?2";

    private final SqliteConnection connection;
    private final long queue;
    private final long now;
    private final @Nullable KeyedRows keyed;

    /** A change of a row. */
    @FunctionalInterface
    interface Change {
        void apply(long row) throws SQLException;
    }

    IdleMessages(Transaction tx, QueueView view) throws SQLException {
        this.connection = tx.connection();
        this.queue = tx.findQueueId(view.queue());
        this.now = tx.now(view.clock());
        this.keyed = KeyedRows.of(tx, view.queue(), now);
    }

    /** Changes a message, unless it is held. A message whose lease has ended is not held. */
    EditOutcome change(String id, Change change) throws SQLException {
        PreparedStatement find = connection.prepare(FIND);
        find.setLong(1, queue);
        find.setString(2, id);
        find.setLong(3, Ids.row(id));
        long row;
        String key;
        try (ResultSet rows = find.executeQuery()) {
            if (!rows.next()) {
                return EditOutcome.ABSENT;
            }
            if (rows.getLong(2) > 0 && rows.getLong(3) > now) {
                return EditOutcome.HELD;
            }
            row = rows.getLong(1);
            key = rows.getString(4);
        }
        change.apply(row);
        if (keyed != null) {
            keyed.left(key);
        }
        return EditOutcome.DONE;
    }

    /** Admits the messages that were blocked behind those that have left. */
    void promote() throws SQLException {
        if (keyed != null) {
            keyed.promote();
        }
    }

    long now() {
        return now;
    }
}
