package dev.jono.backend.postgres;

/**
 * The statements that admit the next messages of ordering keys, after others have left: the first locks the keys, the second,
 * {@link #promote}, sees what was committed before the locks were there. They are sent together, so the first hands the keys
 * over in a setting of the transaction.
 */
final class PromotionSql {
    /**
     * Locks the keys of a table {@code changed} that no other transaction has locked, in a queue of a table {@code queue}. For the
     * others it leaves rows in {@code promotion}, and the next claim does the work.
     */
    static final String LOCK = " locked AS MATERIALIZED (SELECT o.key FROM jono.ordering_key o"
            + " WHERE o.queue = (SELECT id FROM queue) AND o.key = ANY (ARRAY (SELECT key FROM changed))"
            + " ORDER BY o.key FOR UPDATE SKIP LOCKED),"
            + " postponed AS (INSERT INTO jono.promotion (queue, key) SELECT o.queue, o.key FROM jono.ordering_key o"
            + " WHERE (SELECT count(*) FROM locked) < (SELECT count(*) FROM changed)"
            + " AND o.queue = (SELECT id FROM queue) AND o.key = ANY (ARRAY (SELECT key FROM changed))"
            + " AND NOT EXISTS (SELECT 1 FROM locked l WHERE l.key = o.key) RETURNING key)";

    /** Hands the locked keys over. The name of a setting needs a prefix; this one is not the schema's. */
    static final String HAND_OVER = "set_config('jono_keys.locked',"
            + " coalesce((SELECT array_agg(key) FROM locked), ARRAY[]::text[])::text, true)";

    /** Whether the work on a key is left to the next claim. */
    static final String POSTPONED = "EXISTS (SELECT 1 FROM postponed)";

    /** The admitted messages of a key that count: parameters are the latest due time and the limit. */
    private static final String ADMITTED = "(SELECT count(*) FROM (SELECT 1 FROM jono.message a WHERE a.queue = q.id"
            + " AND a.key = k.key AND a.state < 2 AND (a.state = 1 OR a.due <= ?) LIMIT ?) AS counted)";

    private PromotionSql() {}

    /**
     * Admits the next messages of the keys that were handed over, and removes the keys that have no messages. Returns the due time of
     * each admitted one, and the present. Its parameters are the present, null for the server's; that of {@code queue}; the most
     * messages of a key that may be held; the latest due time of a message that counts as admitted; and that most again.
     *
     * <p>{@code OFFSET 0} makes the server look up each key, instead of joining all messages. The last condition on the state does
     * not name it by itself: that would let the server read all blocked messages by their index.
     *
     * @param queue the number of the queue, as SQL
     */
    static String promote(String queue) {
        return "WITH clock AS MATERIALIZED (SELECT coalesce(?, jono.millis()) AS now), queue AS MATERIALIZED (SELECT "
                + queue
                + " AS id), looked AS MATERIALIZED (SELECT k.key, ARRAY (SELECT b.id"
                + " FROM jono.message b WHERE b.queue = q.id AND b.key = k.key AND b.state = 2 ORDER BY b.id LIMIT ? - "
                + ADMITTED + ") AS next FROM queue q, unnest(current_setting('jono_keys.locked')::text[]) AS k(key)),"
                + " removed AS (DELETE FROM jono.ordering_key o WHERE o.queue = (SELECT id FROM queue)"
                + " AND o.key = ANY (ARRAY (SELECT key FROM looked WHERE cardinality(next) = 0))"
                + " AND NOT EXISTS (SELECT 1 FROM jono.message a WHERE a.queue = o.queue AND a.key = o.key"
                + " AND a.state < 2 OFFSET 0) AND NOT EXISTS (SELECT 1 FROM jono.message b"
                + " WHERE b.queue = o.queue AND b.key = o.key AND b.state = 2 OFFSET 0))"
                + " UPDATE jono.message m SET state = 0, due = greatest(m.due, (SELECT now FROM clock))"
                + " WHERE m.id = ANY (ARRAY (SELECT unnest(next) FROM looked)) AND m.state > 1 RETURNING m.due, (SELECT now FROM clock)";
    }
}
