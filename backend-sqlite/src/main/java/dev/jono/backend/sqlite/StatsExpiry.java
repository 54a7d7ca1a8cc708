package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * When the counters of queues expire that are not used: a table which is made where a process asks for that, and the upkeep that
 * goes by it. A queue that is paused does not expire.
 */
final class StatsExpiry {
    /** Of one look. */
    private static final int MAX_QUEUES = 100;

    static final String CLEAR_COUNTERS = "DELETE FROM stat WHERE namespace=? AND queue=?";

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS stat_expiry(namespace TEXT NOT NULL, queue TEXT NOT NULL, until INTEGER NOT NULL,"
                    + " PRIMARY KEY(namespace, queue)) WITHOUT ROWID",
            "CREATE INDEX IF NOT EXISTS stat_expiry_until ON stat_expiry(until)");
    private static final String RENEW = "INSERT INTO stat_expiry(namespace, queue, until) VALUES(?, ?, ?)"
            + " ON CONFLICT DO UPDATE SET until=excluded.until";
    private static final String FIND_EXPIRED = "SELECT namespace, queue FROM stat_expiry AS due WHERE until<=? AND NOT EXISTS"
            + " (SELECT 1 FROM paused WHERE paused.namespace=due.namespace AND paused.queue=due.queue) LIMIT ?";
    private static final String FORGET = "DELETE FROM stat_expiry WHERE namespace=? AND queue=?";

    private StatsExpiry() {}

    private record ExpiredQueue(String namespace, String queue) {}

    static void prepare(Transaction tx) throws SQLException {
        for (String table : TABLES) {
            tx.connection().executeOnce(table);
        }
    }

    /** A queue is in use. */
    static void renew(Transaction tx, String namespace, String queue, long untilMillis) throws SQLException {
        PreparedStatement postpone = tx.connection().prepare(RENEW);
        postpone.setString(1, namespace);
        postpone.setString(2, queue);
        postpone.setLong(3, untilMillis);
        postpone.executeUpdate();
    }

    /** A queue has no counters. */
    static void forget(Transaction tx, String namespace, String queue) throws SQLException {
        update(tx, FORGET, new ExpiredQueue(namespace, queue));
    }

    /** Removes the counters of some queues whose time has come; says whether there may be more. */
    static boolean expire(Transaction tx, long nowMillis) throws SQLException {
        List<ExpiredQueue> due = new ArrayList<>();
        PreparedStatement find = tx.connection().prepare(FIND_EXPIRED);
        find.setLong(1, nowMillis);
        find.setInt(2, MAX_QUEUES);
        try (ResultSet rows = find.executeQuery()) {
            while (rows.next()) {
                due.add(new ExpiredQueue(rows.getString(1), rows.getString(2)));
            }
        }
        for (ExpiredQueue queue : due) {
            update(tx, CLEAR_COUNTERS, queue);
            update(tx, FORGET, queue);
        }
        return due.size() == MAX_QUEUES;
    }

    private static void update(Transaction tx, String sql, ExpiredQueue which) throws SQLException {
        PreparedStatement change = tx.connection().prepare(sql);
        change.setString(1, which.namespace());
        change.setString(2, which.queue());
        change.executeUpdate();
    }
}
