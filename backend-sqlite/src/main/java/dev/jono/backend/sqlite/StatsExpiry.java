package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Expiry of counters: the table {@code stat_expiry}, and the deletion of the counters of queues that are not used. The
 * table exists only where a process has set {@code jono.expire}. The counters of a paused queue do not expire.
 */
final class StatsExpiry {
    /** The largest number of queues whose counters one call deletes. */
    private static final int MAX_QUEUES = 100;

    static final String CLEAR_COUNTERS = "DELETE FROM stat WHERE namespace=? AND queue=?";

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS stat_expiry(namespace TEXT NOT NULL, queue TEXT NOT NULL, until INTEGER NOT NULL,"
                    + " PRIMARY KEY(namespace, queue)) WITHOUT ROWID",
            "CREATE INDEX IF NOT EXISTS stat_expiry_until ON stat_expiry(until)");
    private static final String RENEW = "INSERT INTO stat_expiry(namespace, queue, until) VALUES(?, ?, ?)"
            + " ON CONFLICT DO UPDATE SET until=excluded.until";
    private static final String FIND_EXPIRED =
            "SELECT namespace, queue FROM stat_expiry AS due WHERE until<=? AND NOT EXISTS"
                    + " (SELECT 1 FROM paused WHERE paused.namespace=due.namespace AND paused.queue=due.queue) LIMIT ?";
    private static final String FORGET = "DELETE FROM stat_expiry WHERE namespace=? AND queue=?";

    private StatsExpiry() {}

    private record ExpiredQueue(String namespace, String queue) {}

    static void prepare(Transaction tx) throws SQLException {
        for (String table : TABLES) {
            tx.connection().executeOnce(table);
        }
    }

    /** Renews the expiry of a queue that is in use. */
    static void renew(Transaction tx, String namespace, String queue, long untilMillis) throws SQLException {
        PreparedStatement renew = tx.connection().prepare(RENEW);
        renew.setString(1, namespace);
        renew.setString(2, queue);
        renew.setLong(3, untilMillis);
        renew.executeUpdate();
    }

    /** Removes the expiry of a queue that has no counters. */
    static void forget(Transaction tx, String namespace, String queue) throws SQLException {
        update(tx, FORGET, new ExpiredQueue(namespace, queue));
    }

    /** Deletes the counters of expired queues, up to a limit; returns whether there may be more. */
    static boolean expire(Transaction tx, long nowMillis) throws SQLException {
        List<ExpiredQueue> expired = new ArrayList<>();
        PreparedStatement find = tx.connection().prepare(FIND_EXPIRED);
        find.setLong(1, nowMillis);
        find.setInt(2, MAX_QUEUES);
        try (ResultSet rows = find.executeQuery()) {
            while (rows.next()) {
                expired.add(new ExpiredQueue(rows.getString(1), rows.getString(2)));
            }
        }
        for (ExpiredQueue queue : expired) {
            update(tx, CLEAR_COUNTERS, queue);
            update(tx, FORGET, queue);
        }
        return expired.size() == MAX_QUEUES;
    }

    private static void update(Transaction tx, String sql, ExpiredQueue queue) throws SQLException {
        PreparedStatement statement = tx.connection().prepare(sql);
        statement.setString(1, queue.namespace());
        statement.setString(2, queue.queue());
        statement.executeUpdate();
    }
}
