package dev.jono.backend.sqlite;

/** The SQL statements that read due messages and change messages. */
final class Sql {
    /**
     * The claim of a message without a reservation. It is not null and has the size of a real claim, so that a claim
     * does not change the size of the row. SQLite then writes only the changed pages, not all pages of a large payload.
     */
    static final long UNCLAIMED = -(1L << 62);

    /** The claim of a message that waits for an earlier one of its ordering key. */
    static final long BLOCKED = 0;

    /**
     * The lease of a message without a reservation: its due time, or the complement of that if the message may have been delivered before.
     * Here with a new due time, ?1.
     */
    static final String FREE_LEASE = "CASE WHEN lease=due THEN ?1 ELSE ~?1 END";

    static final String BEGIN = "BEGIN IMMEDIATE";
    static final String COMMIT = "COMMIT";

    /** Stores the latest storage time. */
    static final String UPDATE_CLOCK = "UPDATE meta SET value=max(value, ?) WHERE key='clock'";

    /** The columns that {@link MessageRow#read} reads. */
    static final String COLUMNS = "id, xid, kind, tries, due, lease, claim, pushed, headers, payload, key";

    static final String READY =
            "SELECT " + COLUMNS + " FROM message WHERE queue=? AND claim<0 AND due<=? ORDER BY due, id LIMIT ?";
    static final String EXPIRED =
            "SELECT " + COLUMNS + " FROM message WHERE queue=? AND claim>0 AND lease<=? ORDER BY lease, id LIMIT ?";
    /** As {@link #EXPIRED}, in a keyed queue: an earlier message of the same key comes first. */
    static final String EXPIRED_KEYED =
            EXPIRED.replace("FROM message WHERE queue=? AND", "FROM message m WHERE queue=? AND" + notBehind());
    /** The time of the next message that can be claimed: among free messages, and among reserved ones. */
    static final String NEXT = "SELECT (SELECT min(due) FROM message WHERE queue=?1 AND claim<0),"
            + " (SELECT min(lease) FROM message WHERE queue=?1 AND claim>0)";

    static final String NEXT_KEYED = "SELECT (SELECT min(due) FROM message WHERE queue=?1 AND claim<0),"
            + " (SELECT lease FROM message m WHERE queue=?1 AND" + notBehind() + " claim>0 ORDER BY lease LIMIT 1)";

    /** The unary plus keeps SQLite from using an index on the queue. */
    private static final String FENCE = " AND claim=? AND +queue=?";

    static final String CLAIM_RUN = "UPDATE message SET claim=?, lease=?, tries=tries+1 WHERE id BETWEEN ? AND ?";
    /** As {@link #CLAIM_RUN}, where some of the messages were blocked. */
    static final String CLAIM_BLOCKED_RUN = CLAIM_RUN.replace(" WHERE", ", admitted=key IS NOT NULL WHERE");

    static final String TAKE_RUN = "DELETE FROM message WHERE id BETWEEN ? AND ?";
    static final String ACK_RUN = "DELETE FROM message WHERE id BETWEEN ? AND ?" + FENCE;
    static final String RUN_KEYS = "SELECT key FROM message WHERE id BETWEEN ? AND ?" + FENCE;
    static final String ACK_ONE = "DELETE FROM message WHERE id=?" + FENCE;
    static final String ACK_KEYED = ACK_ONE + " RETURNING key";
    static final String HELD_KEY = "SELECT key FROM message WHERE id=?" + FENCE;
    static final String RELEASE =
            "UPDATE message SET claim=" + UNCLAIMED + ", lease=~?1, due=?1, tries=max(0, tries-?2) WHERE id=?3" + FENCE;
    static final String RELEASE_IN_PLACE =
            "UPDATE message SET claim=" + UNCLAIMED + ", lease=~due, tries=max(0, tries-?) WHERE id=?" + FENCE;
    static final String EXTEND = "UPDATE message SET lease=? WHERE id=?" + FENCE;
    static final String QUEUE_OF = "SELECT queue FROM message WHERE id=?";

    static final String MOVE_HEAD = "SELECT xid, headers, key FROM message WHERE id=?" + FENCE;
    static final String IDLE_HEAD = "SELECT xid, headers, tries, due FROM message WHERE id=?";
    /** Gives a message a new row id; it keeps its id as text. */
    static final String RENUMBER = "UPDATE message SET id=?1, xid=coalesce(xid, CAST(id AS TEXT)) WHERE id=?2";

    static final String SET_LAST_ID = "UPDATE sqlite_sequence SET seq=? WHERE name='message'";
    static final String MOVE = "UPDATE message SET claim=" + UNCLAIMED
            + ", queue=?1, key=NULL, admitted=0, due=?2, lease=~?2, tries=?3, headers=?4, payload=coalesce(?5, payload),"
            // An unknown kind becomes bytes, so that the dead letter can be read.
            + " kind=coalesce(?6, CASE WHEN kind BETWEEN 1 AND 3 THEN kind ELSE 3 END) WHERE id=?7";

    private static final String HISTORY_COLUMNS =
            "(id, queue, done, until, xid, kind, tries, due, pushed, headers, payload)";
    private static final String TO_HISTORY = "INSERT OR REPLACE INTO history" + HISTORY_COLUMNS
            + " SELECT id, queue, ?, ?, xid, kind, tries, due, pushed, headers, payload FROM message WHERE id BETWEEN ? AND ?";
    static final String TAKE_TO_HISTORY = TO_HISTORY;
    static final String ACK_TO_HISTORY = TO_HISTORY + FENCE;
    static final String FORGET_HISTORY = "DELETE FROM history WHERE id=?";
    static final String PURGE_HISTORY =
            "DELETE FROM history WHERE id IN (SELECT id FROM history WHERE until<=? ORDER BY until LIMIT ?)";

    static final String DELETE = "DELETE FROM message WHERE id=?";
    static final String PURGE_READY =
            "DELETE FROM message WHERE id IN" + " (SELECT id FROM message WHERE queue=? AND claim<0 AND id<=? LIMIT ?)";
    static final String PURGE_BLOCKED =
            "DELETE FROM message WHERE id IN" + " (SELECT id FROM message WHERE queue=? AND claim=0 AND id<=? LIMIT ?)";
    /** A blocked message stays blocked. */
    static final String RESCHEDULE = "UPDATE message SET claim=CASE WHEN claim=0 THEN 0 ELSE " + UNCLAIMED
            + " END, due=?1, lease=" + FREE_LEASE + " WHERE id=?2";

    static final String PURGE_EXPIRED = "DELETE FROM message WHERE id IN"
            + " (SELECT id FROM message WHERE queue=? AND claim>0 AND lease<=? AND id<=? LIMIT ?)";
    /** The highest id that was ever assigned. */
    static final String LAST_ID = "SELECT seq FROM sqlite_sequence WHERE name='message'";

    private static final String INSERT_COLUMNS =
            "(id, queue, due, lease, claim, tries, kind, pushed, xid, headers, payload)";
    /** Inserts a message under a given id: it may have been delivered before. */
    static final String INSERT_ONE = "INSERT OR IGNORE INTO message" + INSERT_COLUMNS + " VALUES(?1, ?2, ?3, ~?3, "
            + UNCLAIMED + ", ?4, ?5, ?6, ?7, ?8, ?9)";

    private Sql() {}

    private static String notBehind() {
        return " NOT EXISTS(SELECT 1 FROM message e WHERE e.queue=m.queue AND e.key=m.key AND e.admitted=1 AND e.id<m.id) AND";
    }

    /**
     * Inserts this many new messages of a queue without ordering keys. Parameters: queue and push time, then for each message due time,
     * tries, kind, headers and payload.
     */
    static String insertRows(int rows) {
        return insertRows(rows, ", claim", 5, "," + UNCLAIMED);
    }

    /** As {@link #insertRows(int)}, of a keyed queue. Three more parameters for each message: key, claim and whether it is admitted. */
    static String insertKeyedRows(int rows) {
        return insertRows(rows, ", key, claim, admitted", 8, "");
    }

    /**
     * Inserts new messages.
     *
     * @param columns the last columns
     * @param parameters how many each message has
     * @param values the values of the last columns that are no parameters
     */
    private static String insertRows(int rows, String columns, int parameters, String values) {
        StringBuilder sql = new StringBuilder(
                        "INSERT INTO message(queue, pushed, lease, due, tries, kind, headers, payload")
                .append(columns)
                .append(") VALUES");
        for (int i = 0; i < rows; i++) {
            int first = 3 + parameters * i;
            sql.append(i == 0 ? "" : ",").append("(?1,?2,?").append(first);
            for (int p = first; p < first + parameters; p++) {
                sql.append(",?").append(p);
            }
            sql.append(values).append(')');
        }
        return sql.toString();
    }
}
