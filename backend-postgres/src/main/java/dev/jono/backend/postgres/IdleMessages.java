package dev.jono.backend.postgres;

import dev.jono.EditOutcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds messages by id, and locks those that no consumer holds. Used by one thread, within one transaction. */
final class IdleMessages {
    /** The row ids of messages; parameters are the row ids that the ids may stand for, the queue, the queue, and the ids. */
    static final String BY_IDS = "ARRAY (SELECT m.id FROM jono.message m WHERE m.id = ANY (?::bigint[]) AND m.queue = ?"
            + " AND m.xid IS NULL UNION ALL SELECT m.id FROM jono.message m WHERE m.queue = ? AND m.xid = ANY (?::text[]))";

    private static final String FIND = "SELECT m.id, m.xid, m.state, m.lease, m.key, m.headers, m.tries, m.due"
            + " FROM jono.message m WHERE m.id = ANY (" + BY_IDS + ") ORDER BY m.id FOR UPDATE";

    private final SqlTransaction tx;
    private final Queues.Found queue;
    private final OrderingKeys keys;

    IdleMessages(SqlTransaction tx, Queues.Found queue) {
        this.tx = tx;
        this.queue = queue;
        this.keys = new OrderingKeys(tx, queue);
    }

    /** A message that is not held. */
    record Idle(MoveTarget.Head head, @Nullable String key, int tries, long dueMillis) {
        long row() {
            return head.row();
        }
    }

    /** A change of messages that no consumer holds. */
    @FunctionalInterface
    interface Change {
        void apply(List<Idle> idle) throws SQLException;
    }

    /** Binds the parameters of {@link #BY_IDS}. */
    static void bindIds(PreparedStatement statement, int first, SqlTransaction tx, int queue, List<String> ids)
            throws SQLException {
        statement.setArray(first, tx.longs(ids.stream().map(Ids::row).toList()));
        statement.setInt(first + 1, queue);
        statement.setInt(first + 2, queue);
        statement.setArray(first + 3, tx.texts(ids.stream().map(Ids::text).toList()));
    }

    /** Changes the messages that no consumer holds. A message whose lease has ended is not held. */
    List<EditOutcome> change(List<String> ids, Change change) throws SQLException {
        Map<String, EditOutcome> outcomes = new HashMap<>();
        List<Idle> idle = new ArrayList<>();
        try (PreparedStatement find = tx.prepare(FIND)) {
            bindIds(find, 1, tx, queue.id(), ids);
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    String id = Ids.messageId(rows.getLong(1), rows.getString(2));
                    boolean held = rows.getInt(3) == MessageRow.HELD && rows.getLong(4) > queue.nowMillis();
                    outcomes.put(id, held ? EditOutcome.HELD : EditOutcome.DONE);
                    if (!held) {
                        idle.add(read(rows));
                    }
                }
            }
        }
        if (!idle.isEmpty()) {
            change.apply(idle);
            promote(idle);
        }
        List<EditOutcome> all = new ArrayList<>(ids.size());
        Set<String> seen = new HashSet<>();
        for (String id : ids) {
            all.add(seen.add(id) ? outcomes.getOrDefault(id, EditOutcome.ABSENT) : EditOutcome.ABSENT);
        }
        return all;
    }

    private static Idle read(ResultSet rows) throws SQLException {
        MoveTarget.Head head = new MoveTarget.Head(rows.getLong(1), rows.getString(2), rows.getString(6));
        return new Idle(head, rows.getString(5), rows.getInt(7), rows.getLong(8));
    }

    /** Admits the messages that were blocked by these. */
    private void promote(List<Idle> changed) throws SQLException {
        Set<String> names = new HashSet<>();
        for (Idle each : changed) {
            if (each.key() != null) {
                names.add(each.key());
            }
        }
        keys.promote(names);
    }
}
