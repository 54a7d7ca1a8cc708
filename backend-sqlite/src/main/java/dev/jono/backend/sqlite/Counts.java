package dev.jono.backend.sqlite;

import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts messages, and probes queues for their next due time. Reads the indexes only, on a reader's connection. */
final class Counts {
    private static final String COUNTS = "SELECT (SELECT count(*) FROM message WHERE queue=?1 AND claim<0 AND due<=?2),"
            + " (SELECT count(*) FROM message WHERE queue=?1 AND claim<0 AND due>?2),"
            + " (SELECT count(*) FROM message WHERE queue=?1 AND claim>0 AND lease<=?2),"
            + " (SELECT count(*) FROM message WHERE queue=?1 AND claim>0 AND lease>?2),"
            + " (SELECT min(due) FROM message WHERE queue=?1 AND claim<0),"
            + " (SELECT min(lease) FROM message WHERE queue=?1 AND claim>0),"
            + " (SELECT count(*) FROM message WHERE queue=?1 AND claim=0)";
    private static final String HISTORY = "SELECT count(*) FROM history WHERE queue=? AND until>?";
    private static final String NAMES = "SELECT name FROM queue ORDER BY name";

    /** A probe of up to this many queues looks up each; a larger one walks the index from queue to queue. */
    private static final int MAX_SINGLE_LOOKUPS = 64;

    private static final String WALK_READY = walk("claim<0", "due");
    private static final String WALK_HELD = walk("claim>0", "lease");

    private Counts() {}

    private static String walk(String claim, String time) {
        return "WITH RECURSIVE walk(queue) AS (SELECT min(queue) FROM message WHERE " + claim
                + " UNION ALL SELECT (SELECT min(queue) FROM message WHERE " + claim
                + " AND queue>walk.queue) FROM walk WHERE walk.queue IS NOT NULL)"
                + " SELECT queue.name, (SELECT min(" + time + ") FROM message WHERE " + claim
                + " AND queue=walk.queue) FROM walk JOIN queue ON queue.id=walk.queue";
    }

    /** By the name of the queue, without histories. */
    static Map<String, CountsResult> counts(SqliteConnection connection, List<QueueSpec> queues, long now)
            throws SQLException {
        CountsRequest request = CountsRequest.builder().build();
        Map<String, CountsResult> counts = new HashMap<>();
        for (QueueSpec queue : queues) {
            counts.put(queue.name(), counts(connection, queue.name(), now, request));
        }
        return counts;
    }

    static CountsResult counts(SqliteConnection connection, String name, long now, CountsRequest request)
            throws SQLException {
        long queue = QueueIds.find(connection, name);
        CountsResult.Builder result = CountsResult.builder().storageMillis(now);
        PreparedStatement counts = connection.prepare(COUNTS);
        counts.setLong(1, queue);
        counts.setLong(2, now);
        try (ResultSet rows = counts.executeQuery()) {
            rows.next();
            long expired = rows.getLong(3);
            long nextDue = NextDue.millisUntil(rows, 5, now);
            result.ready(rows.getLong(1) + expired)
                    .scheduled(rows.getLong(2))
                    .reserved(rows.getLong(4))
                    .blocked(rows.getLong(7))
                    .nextMillis(expired > 0 ? 0 : nextDue);
            if (rows.getLong(1) > 0) {
                result.oldestReadyMillis(expired > 0 ? Math.min(rows.getLong(5), rows.getLong(6)) : rows.getLong(5));
            } else if (expired > 0) {
                result.oldestReadyMillis(rows.getLong(6));
            }
        }
        if (request.history()) {
            PreparedStatement history = connection.prepare(HISTORY);
            history.setLong(1, queue);
            history.setLong(2, now);
            try (ResultSet rows = history.executeQuery()) {
                rows.next();
                result.history(rows.getLong(1));
            }
        }
        return result.build();
    }

    static ProbeResult probe(SqliteConnection connection, Collection<String> queues, long now) throws SQLException {
        Map<String, Long> next = new HashMap<>();
        if (queues.size() <= MAX_SINGLE_LOOKUPS) {
            for (String queue : queues) {
                QueueIds.Found found = QueueIds.lookUp(connection, queue);
                if (found.id() != QueueIds.NONE) {
                    next.put(queue, NextDue.millisUntilNext(connection, found, now));
                }
            }
        } else {
            Set<String> wanted = new HashSet<>(queues);
            walk(connection, WALK_READY, wanted, now, next);
            walk(connection, WALK_HELD, wanted, now, next);
        }
        return ProbeResult.builder().nextMillis(next).storageMillis(now).build();
    }

    private static void walk(
            SqliteConnection connection, String sql, Set<String> wanted, long now, Map<String, Long> next)
            throws SQLException {
        try (ResultSet rows = connection.prepare(sql).executeQuery()) {
            while (rows.next()) {
                String queue = rows.getString(1);
                if (wanted.contains(queue)) {
                    next.merge(queue, NextDue.millisUntil(rows, 2, now), Math::min);
                }
            }
        }
    }

    /** The names of all queues that were ever written to, sorted. */
    static List<String> queueNames(SqliteConnection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = connection.prepare(NAMES).executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
