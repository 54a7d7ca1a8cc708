package dev.jono.backend.keusspostgres;

import dev.jono.support.postgres.SqlTransaction;

/**
 * The statements that hand out messages: one statement finds, locks and leases them, or removes them. Messages that another
 * transaction has locked are skipped. Each has the result of {@link SqlTransaction#BY_INDEX} before its own.
 *
 * <p>Parameters: the largest number of messages, once, and with expired messages twice; the tries to isolate, and those of
 * expired messages; that number again. {@link #CLAIM} then has the length of the lease in milliseconds.
 */
final class HandOutSql {
    /** The size of the stored payloads, in bytes, after which a call returns no further message. */
    private static final long MAX_BYTES = 16L << 20;

    private static final String COLUMNS =
            " AS due, m.tries, m.reserved IS NOT NULL AS expired, pg_column_size(m._pl) AS bytes"
                    + " FROM $table m WHERE m.mature <= (SELECT now FROM clock)";
    private static final String LOCKED = " ORDER BY m.mature, m._id COLLATE \"C\" LIMIT ? FOR UPDATE SKIP LOCKED)";
    private static final String CLOCK =
            SqlTransaction.BY_INDEX + "WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),";

    /** An expired message has the place that it had before. The index of held messages finds them. */
    private static final String FREE_AND_EXPIRED = CLOCK + " free AS MATERIALIZED (SELECT m._id, m.mature" + COLUMNS
            + " AND m.reserved IS NULL" + LOCKED + ", expired AS MATERIALIZED (SELECT m._id, " + MessageRow.DUE
            + COLUMNS
            + " AND m.reserved IS NOT NULL" + LOCKED
            + ", candidate AS (SELECT * FROM free UNION ALL SELECT * FROM expired),";

    /** Without Jono's column and index, an expired message has the place of the end of its lease, as for keuss. */
    private static final String ALL =
            CLOCK + " candidate AS MATERIALIZED (SELECT m._id, m.mature" + COLUMNS + LOCKED + ",";

    private static final String ORDER = " ORDER BY due, _id COLLATE \"C\"";

    /**
     * Chooses among the due messages, in the order of the queue. One that needs isolation is alone: the choice ends before
     * it, or has only it.
     */
    private static final String CHOOSE =
            " found AS (SELECT _id, expired, tries >= ? OR (expired AND tries >= ?) AS alone,"
                    + " row_number() OVER (" + ORDER + ") AS place, sum(bytes) OVER (" + ORDER
                    + ") - bytes AS bytes_before FROM candidate),"
                    + " chosen AS (SELECT _id FROM found WHERE place = 1 OR (place <= ? AND bytes_before <= "
                    + MAX_BYTES
                    + " AND place < coalesce((SELECT min(place) FROM found WHERE alone AND place > 1), place + 1)"
                    + " AND NOT (SELECT alone FROM found WHERE place = 1)))";

    /** An array, not a join: so the server looks up each message, whatever it believes of the size of the table. */
    private static final String IS_CHOSEN = " m._id = ANY (ARRAY (SELECT _id FROM chosen))";

    private static final String RETURNED =
            " RETURNING m._id = ANY (ARRAY (SELECT _id FROM found WHERE expired)) AS expired, m.*)";

    /** The result: the time, the number of candidates, and each message. One that needs isolation is the only one. */
    private static final String RESULT = " SELECT (SELECT " + MessageRow.micros("now")
            + " FROM clock), (SELECT count(*) FROM found), m.expired, (SELECT alone FROM found WHERE place = 1), "
            + MessageRow.COLUMNS + " FROM done m" + MessageRow.FIELDS + " ORDER BY " + MessageRow.DUE
            + ", m._id COLLATE \"C\"";

    static final String CLAIM = FREE_AND_EXPIRED + CHOOSE + ", done AS (UPDATE $table m SET tries = m.tries + 1,"
            + " mature = (SELECT now FROM clock) + ? * interval '1 millisecond', reserved = (SELECT now FROM clock), "
            + QueueTable.DUE_COLUMN + " = " + MessageRow.DUE + " WHERE" + IS_CHOSEN + RETURNED + RESULT;

    private static final String REMOVED =
            CHOOSE + ", done AS (DELETE FROM $table m WHERE" + IS_CHOSEN + RETURNED + RESULT;

    static final String TAKE = FREE_AND_EXPIRED + REMOVED;

    /** For a table without Jono's column and index. */
    static final String TAKE_PLAIN = ALL + REMOVED;

    /** When the next message can be claimed. */
    static final String NEXT = "SELECT " + MessageRow.micros("clock_timestamp()") + ", "
            + MessageRow.micros("min(mature)") + " FROM $table";

    private HandOutSql() {}
}
