package dev.jono.backend.postgres;

import dev.jono.support.postgres.SqlTransaction;

/**
 * The statements that hand out messages without a look at their ordering keys: one statement finds, locks and leases them, or removes
 * them. Messages that another transaction has locked are skipped. Each has the result of {@link SqlTransaction#BY_INDEX} before its
 * own.
 *
 * <p>Parameters of all: the name of the queue, its setting of ordering keys, the due time from which to look, the largest number of
 * messages, the number of free messages from which on ended leases are not looked for, the end of a lease from which to look, the
 * largest number, the tries to isolate, and those of expired messages, the largest number again. {@link #CLAIM} then has the claim, the
 * length of the lease, and the token of the call, {@link #TAKE_TO_HISTORY} the time to keep the messages.
 */
final class HandOutSql {
    /** The payload, in bytes, after which a call returns no further message. */
    static final long MAX_BYTES = 16L << 20;

    /** How many columns of the result come before those of a message. */
    static final int COLUMNS_BEFORE = 9;

    /** Messages whose leases have ended, if too few others are due. */
    private static final String EXPIRED =
            " expired AS MATERIALIZED (SELECT ctid AS tid, id, due, tries, true AS expired,"
                    + " octet_length(payload) AS bytes, lease FROM jono.message WHERE (SELECT messages FROM looked_free) < ?"
                    + " AND queue = (SELECT id FROM queue) AND state = 1 AND lease >= ? AND lease <= (SELECT now FROM clock)"
                    + " ORDER BY lease, id LIMIT ? FOR UPDATE SKIP LOCKED),";

    /**
     * Chooses among the free and the expired messages, in the order of the queue. One that needs isolation is alone: the
     * choice ends before it, or has only it.
     */
    private static final String CHOOSE = SqlTransaction.BY_INDEX
            + "WITH clock AS MATERIALIZED (SELECT jono.millis() AS now),"
            + " queue AS MATERIALIZED (SELECT id FROM jono.queue WHERE name = ? AND max_per_key = ?),"
            + " free AS MATERIALIZED (SELECT ctid AS tid, id, due, tries, false AS expired, octet_length(payload) AS bytes, lease"
            + " FROM jono.message WHERE queue = (SELECT id FROM queue) AND state = 0 AND due >= ? AND due <= (SELECT now FROM clock)"
            + " ORDER BY due, id LIMIT ? FOR UPDATE SKIP LOCKED),"
            + " looked_free AS MATERIALIZED (SELECT count(*) AS messages, min(due) AS first, jono.millis() AS at FROM free),"
            + EXPIRED
            + " found AS (SELECT tid, due, expired, tries >= ? OR (expired AND tries >= ?) AS alone,"
            + " row_number() OVER (ORDER BY due, id) AS place, sum(bytes) OVER (ORDER BY due, id) - bytes AS bytes_before"
            + " FROM (SELECT * FROM free UNION ALL SELECT * FROM expired) AS candidates),"
            + " looked AS MATERIALIZED (SELECT count(*) AS messages, (SELECT min(lease) FROM expired) AS lease, jono.millis() AS at"
            + " FROM found),"
            + " chosen AS (SELECT tid FROM found WHERE place = 1 OR (place <= ? AND bytes_before <= "
            + MAX_BYTES + " AND place < coalesce((SELECT min(place) FROM found WHERE alone AND place > 1), place + 1)"
            + " AND NOT (SELECT alone FROM found WHERE place = 1)))";

    /**
     * An array, not a join: so the server looks up each message, whatever it believes of the size of the table. By its place in
     * the table, which saves the search in the index. A message that another transaction has released since the statement began
     * is at a place that this statement does not see: it is locked, but not handed out, and the next call finds it.
     */
    private static final String IS_CHOSEN = " m.ctid = ANY (ARRAY (SELECT tid FROM chosen))";

    /** In the first column of a message: nobody has held it before, unless it has tries. */
    static final int NEW = 0;

    /** In the first column of a message: somebody may have held it before. */
    static final int GIVEN_BACK = 1;

    /** In the first column of a message: its last lease has ended. */
    static final int EXPIRED_LEASE = 2;

    private static final String WAS = " CASE WHEN m.id = ANY (ARRAY (SELECT id FROM expired)) THEN " + EXPIRED_LEASE
            + " WHEN m.id = ANY (ARRAY (SELECT id FROM free WHERE lease <> " + MessageRow.NEVER_LEASED + ")) THEN "
            + GIVEN_BACK + " ELSE " + NEW + " END AS was,";

    /**
     * The result: the time, the numbers of all candidates and of the free ones, the due time of the first free one, how many
     * milliseconds the looks for free and for expired ones took, the end of the first ended lease, and each message. One that needs
     * isolation is the only one. If there is no message, there is one row without a message.
     */
    private static final String RESULT =
            "SELECT c.now, l.messages, f.messages, f.first, f.at - c.now, l.at - f.at, l.lease, m.was,"
                    + " (SELECT alone FROM found WHERE place = 1), ";

    private static final String FROM_DONE =
            " FROM clock c CROSS JOIN looked_free f CROSS JOIN looked l LEFT JOIN done m ON true ORDER BY m.due, m.id";

    private static final String ROWS =
            "m.id, m.xid, m.kind, m.tries, m.due, m.lease, m.state, m.pushed, m.headers, m.payload," + " m.key";

    static final String CLAIM = CHOOSE
            + ", done AS (UPDATE jono.message m SET state = 1, claim = ?, lease = (SELECT now FROM clock) + ?,"
            + " tries = m.tries + 1 WHERE" + IS_CHOSEN + " RETURNING" + WAS
            + " m.id, m.xid, m.kind, m.tries - 1 AS tries, m.due, m.lease, m.state,"
            + " m.pushed, m.headers, m.payload, m.key),"
            + " token AS (INSERT INTO jono.call (token, at) SELECT t.token, c.now FROM (SELECT ?::text AS token) t, clock c"
            + " WHERE t.token IS NOT NULL AND EXISTS (SELECT 1 FROM done)) "
            + RESULT + ROWS + FROM_DONE;

    /** The messages of a claim. Parameters are the tries to isolate, the name of the queue, and the number of the claim. */
    static final String CLAIMED = "SELECT jono.millis(), 0, 0, 0, 0, 0, 0, " + GIVEN_BACK
            + ", count(*) OVER () = 1 AND m.tries > ?, m.id, m.xid, m.kind, m.tries - 1, m.due, m.lease,"
            + " m.state, m.pushed, m.headers, m.payload, m.key FROM jono.message m"
            + " WHERE m.queue = (SELECT id FROM jono.queue WHERE name = ?) AND m.state = 1 AND m.claim = ? ORDER BY m.due, m.id";

    private static final String REMOVED =
            CHOOSE + ", done AS (DELETE FROM jono.message m WHERE" + IS_CHOSEN + " RETURNING" + WAS + " m.*)";

    static final String TAKE = REMOVED + " " + RESULT + ROWS + FROM_DONE;

    static final String TAKE_TO_HISTORY = REMOVED + ", kept AS (INSERT INTO jono.history"
            + " (id, done, until, due, pushed, queue, tries, kind, xid, headers, payload)"
            + " SELECT m.id, now, now + ?, m.due, m.pushed, m.queue, m.tries, m.kind, m.xid, m.headers, m.payload"
            + " FROM done m, clock ON CONFLICT (id) DO UPDATE SET done = EXCLUDED.done, until = EXCLUDED.until,"
            + " due = EXCLUDED.due, pushed = EXCLUDED.pushed, queue = EXCLUDED.queue, tries = EXCLUDED.tries,"
            + " kind = EXCLUDED.kind, xid = EXCLUDED.xid, headers = EXCLUDED.headers, payload = EXCLUDED.payload) "
            + RESULT + ROWS + FROM_DONE;

    /**
     * When the next messages of a queue can be claimed, with the setting of its keys. Parameters are the due time and the end of a
     * lease from which to look, and the name of the queue.
     */
    static final String NEXT = SqlTransaction.BY_INDEX + "SELECT jono.millis(), q.max_per_key,"
            + " (SELECT min(due) FROM jono.message WHERE queue = q.id AND state = 0 AND due >= ?),"
            + " (SELECT min(lease) FROM jono.message WHERE queue = q.id AND state = 1 AND lease >= ?)"
            + " FROM (SELECT 1) AS one LEFT JOIN jono.queue q ON q.name = ?";

    private HandOutSql() {}
}
