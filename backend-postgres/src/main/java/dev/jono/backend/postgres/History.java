package dev.jono.backend.postgres;

import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Keeps messages that are about to be consumed, if the queue has a history. */
final class History {
    private static final String KEEP = "INSERT INTO jono.history"
            + " (id, done, until, due, pushed, queue, tries, kind, xid, headers, payload)"
            + " SELECT m.id, ?, ?, m.due, m.pushed, m.queue, m.tries, m.kind, m.xid, m.headers, m.payload"
            + " FROM jono.message m WHERE m.id = ANY (?::bigint[]) ON CONFLICT (id) DO NOTHING";

    private History() {}

    static void keep(SqlTransaction tx, QueueView view, long nowMillis, List<Long> rows) throws SQLException {
        if (view.historyMillis() == 0 || rows.isEmpty()) {
            return;
        }
        try (PreparedStatement keep = tx.prepare(KEEP)) {
            keep.setLong(1, nowMillis);
            keep.setLong(2, nowMillis + view.historyMillis());
            keep.setArray(3, tx.longs(rows));
            keep.executeUpdate();
        }
    }
}
