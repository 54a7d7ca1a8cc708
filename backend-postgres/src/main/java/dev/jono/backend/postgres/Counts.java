package dev.jono.backend.postgres;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.ProbeResult;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Counts messages, and probes queues for their next due time, with one statement each. */
final class Counts {
    private static final String OF_QUEUE = " FROM jono.message m WHERE m.queue = q.id AND m.state = ";

    private static final String COUNTS = SqlTransaction.BY_INDEX + "SELECT asked.name, clock.now, (SELECT count(*)"
            + OF_QUEUE + "0 AND m.due <= clock.now),"
            + " (SELECT count(*)" + OF_QUEUE + "0 AND m.due > clock.now),"
            + " (SELECT count(*)" + OF_QUEUE + "1 AND m.lease <= clock.now),"
            + " (SELECT count(*)" + OF_QUEUE + "1 AND m.lease > clock.now),"
            + " (SELECT count(*)" + OF_QUEUE + "2),"
            + " (SELECT min(m.due)" + OF_QUEUE + "0),"
            + " (SELECT min(m.due)" + OF_QUEUE + "1 AND m.lease <= clock.now),"
            + " CASE WHEN ? THEN (SELECT count(*) FROM jono.history h WHERE h.queue = q.id AND h.until > clock.now) END"
            + " FROM (SELECT jono.millis() AS now OFFSET 0) AS clock CROSS JOIN unnest(?::text[]) AS asked(name)"
            + " LEFT JOIN LATERAL (SELECT * FROM jono.queue WHERE name = asked.name LIMIT 1) AS q ON true";

    /**
     * By name, the time from which each queue has a message that can be claimed. Where the order is strict, an expired message
     * that an earlier one of its key blocks does not count. A postponed promotion is tried again in 50 ms. It has the result of
     * {@link SqlTransaction#BY_INDEX} before its own. Parameters are the names of queues, and for each the due time and the end of a
     * lease from which to look.
     */
    static final String NEXT_OF_QUEUES = SqlTransaction.BY_INDEX + "SELECT q.name, least((SELECT min(m.due)" + OF_QUEUE
            + "0 AND m.due >= asked.due),"
            + " CASE WHEN q.max_per_key = 1 THEN (SELECT m.lease" + OF_QUEUE + "1 AND NOT (m.key IS NOT NULL AND EXISTS"
            + " (SELECT 1 FROM jono.message e WHERE e.queue = m.queue AND e.key = m.key AND e.state < 2 AND e.id < m.id))"
            + " ORDER BY m.lease LIMIT 1) ELSE (SELECT min(m.lease)" + OF_QUEUE
            + "1 AND m.lease >= asked.lease) END,"
            + " CASE WHEN q.max_per_key > 0 AND EXISTS (SELECT 1 FROM jono.promotion p WHERE p.queue = q.id OFFSET 0) THEN jono.millis() + 50 END),"
            + " jono.millis() FROM unnest(?::text[], ?::bigint[], ?::bigint[]) AS asked(name, due, lease)"
            + " CROSS JOIN LATERAL (SELECT * FROM jono.queue WHERE name = asked.name LIMIT 1) AS q";

    private Counts() {}

    /** By the name of the queue. */
    static Map<String, CountsResult> counts(SqlTransaction tx, List<String> queues, boolean history)
            throws SQLException {
        Map<String, CountsResult> all = new HashMap<>();
        try (PreparedStatement counts = tx.prepare(COUNTS)) {
            counts.setBoolean(1, history);
            counts.setArray(2, tx.texts(queues));
            try (ResultSet rows = SqlTransaction.resultAfter(1, counts)) {
                while (rows.next()) {
                    all.put(rows.getString(1), counts(rows));
                }
            }
        }
        return all;
    }

    private static CountsResult counts(ResultSet row) throws SQLException {
        long now = row.getLong(2);
        long due = row.getLong(3);
        long expired = row.getLong(5);
        long earliestFree = row.getLong(8);
        long next = row.wasNull() ? ClaimResult.NONE : Math.max(0, earliestFree - now);
        CountsResult.Builder result = CountsResult.builder()
                .storageMillis(now)
                .ready(due + expired)
                .scheduled(row.getLong(4))
                .reserved(row.getLong(6))
                .blocked(row.getLong(7))
                .history(row.getLong(10))
                .nextMillis(expired > 0 ? 0 : next);
        if (due > 0) {
            result.oldestReadyMillis(expired > 0 ? Math.min(earliestFree, row.getLong(9)) : earliestFree);
        } else if (expired > 0) {
            result.oldestReadyMillis(row.getLong(9));
        }
        return result.build();
    }

    static ProbeResult probe(SqlTransaction tx, List<String> queues, LooksByName looks) throws SQLException {
        Map<String, Long> next = new HashMap<>();
        long now = 0;
        try (PreparedStatement probe = tx.prepare(NEXT_OF_QUEUES)) {
            probe.setArray(1, tx.texts(queues));
            probe.setArray(2, tx.longs(each(queues, looks, QueueLooks::free)));
            probe.setArray(3, tx.longs(each(queues, looks, QueueLooks::held)));
            try (ResultSet rows = SqlTransaction.resultAfter(1, probe)) {
                while (rows.next()) {
                    now = rows.getLong(3);
                    long timeMillis = rows.getLong(2);
                    if (!rows.wasNull()) {
                        next.put(rows.getString(1), Math.max(0, timeMillis - now));
                    }
                }
            }
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(now == 0 ? tx.nowMillis() : now)
                .build();
    }

    private static List<Long> each(List<String> queues, LooksByName looks, Function<QueueLooks, LowWaterMark> mark) {
        return queues.stream()
                .map(looks::find)
                .map(known -> known == null ? 0L : mark.apply(known).fromMillis())
                .toList();
    }
}
