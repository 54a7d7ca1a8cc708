package dev.jono.backend.keusspostgres;

import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Acks, releases and extensions of reservations. Each takes effect only while the row has the time and the number of the
 * reservation in the receipt. Used by one thread, for one call.
 */
final class Settlements {
    /**
     * What statements on receipts begin with: the rows that the receipts hold, locked in the order of their ids. The first
     * parameters are those of the receipts. The limit makes the server look up each row, whatever it believes of the size of
     * the table.
     */
    static final String HELD = " held AS MATERIALIZED (SELECT h._id, i.micros, i.tries"
            + " FROM (SELECT DISTINCT id, micros, tries FROM item ORDER BY id) AS i"
            + " CROSS JOIN LATERAL (SELECT m._id FROM $table m WHERE m._id = i.id AND m.reserved = "
            + MessageRow.time("i.micros") + " AND m.tries = i.tries LIMIT 1 FOR UPDATE) AS h),"
            + " clock AS MATERIALIZED (SELECT clock_timestamp() AS now),";

    /** An array, for the same reason. */
    static final String IS_HELD = " m._id = ANY (ARRAY (SELECT _id FROM held))";

    /** For each item whether its message was held, whether the queue has it, and the time. */
    static final String OUTCOMES =
            " SELECT h._id IS NOT NULL, EXISTS (SELECT 1 FROM $table m WHERE m._id = i.id OFFSET 0), (SELECT "
                    + MessageRow.micros("now") + " FROM clock) FROM item i"
                    + " LEFT JOIN held h ON h._id = i.id AND h.micros = i.micros AND h.tries = i.tries ORDER BY i.place";

    /** The items that are held. A message that is named twice counts once. */
    static final String FIRST = " first AS MATERIALIZED (SELECT DISTINCT ON (i.id) i.* FROM item i"
            + " JOIN held h ON h._id = i.id AND h.micros = i.micros AND h.tries = i.tries ORDER BY i.id, i.place),";

    private static final String RECEIPTS =
            SqlTransaction.BY_INDEX + "WITH item AS (SELECT * FROM unnest(?::text[], ?::bigint[], ?::integer[])"
                    + " WITH ORDINALITY AS i(id, micros, tries, place)),";

    private static final String ACK =
            RECEIPTS + HELD + " done AS (DELETE FROM $table m WHERE" + IS_HELD + ")" + OUTCOMES;

    private static final String EXTEND = RECEIPTS + HELD + " done AS (UPDATE $table m"
            + " SET mature = (SELECT now FROM clock) + ? * interval '1 millisecond' WHERE" + IS_HELD + ")"
            + OUTCOMES;

    private static final String RELEASE = SqlTransaction.BY_INDEX
            + "WITH item AS (SELECT * FROM unnest(?::text[], ?::bigint[], ?::integer[],"
            + " ?::bigint[], ?::bigint[], ?::integer[]) WITH ORDINALITY"
            + " AS i(id, micros, tries, due, delay, uncounted, place))," + HELD + FIRST
            + " done AS (UPDATE $table m SET reserved = NULL, " + QueueTable.DUE_COLUMN + " = NULL,"
            + " tries = greatest(0, m.tries - f.uncounted), mature = CASE WHEN f.due IS NOT NULL THEN "
            + MessageRow.time("f.due * 1000") + " WHEN f.delay IS NOT NULL THEN (SELECT now FROM clock)"
            + " + f.delay * interval '1 millisecond' ELSE coalesce($due, (SELECT now FROM clock)) END"
            + " FROM first f WHERE m._id = f.id AND" + IS_HELD + ")" + OUTCOMES;

    private final SqlTransaction tx;
    private final QueueTable table;

    Settlements(SqlTransaction tx, QueueTable table) {
        this.tx = tx;
        this.table = table;
    }

    /** Acks messages. It may be done twice: then it finds the messages gone. */
    SettleResult ack(List<Receipt> receipts) throws SQLException {
        try (PreparedStatement ack = tx.prepare(ACK, table)) {
            bind(ack, tx, receipts);
            return result(ack);
        }
    }

    /** Extends leases. It may be done twice. */
    SettleResult extend(ExtendRequest request) throws SQLException {
        try (PreparedStatement extend = tx.prepare(EXTEND, table)) {
            int next = bind(extend, tx, request.receipts());
            extend.setLong(next, request.leaseMillis());
            return result(extend);
        }
    }

    SettleResult release(List<ReleaseRequest.Item> items) throws SQLException {
        try (PreparedStatement release = tx.prepare(RELEASE, table)) {
            int next = bind(
                    release,
                    tx,
                    items.stream().map(ReleaseRequest.Item::receipt).toList());
            List<@Nullable Due> dues = new ArrayList<>();
            items.forEach(item -> dues.add(item.due()));
            release.setArray(next, tx.array("bigint", Times.instants(dues)));
            release.setArray(next + 1, tx.array("bigint", Times.delays(dues)));
            release.setArray(
                    next + 2,
                    tx.array(
                            "integer",
                            items.stream().map(item -> item.counted() ? 0 : 1).toArray(Integer[]::new)));
            return result(release);
        }
    }

    /** Binds the parameters of receipts; returns the index of the next one. */
    static int bind(PreparedStatement statement, SqlTransaction tx, List<Receipt> receipts) throws SQLException {
        List<Ids.Held> held = receipts.stream().map(Ids.Held::of).toList();
        statement.setArray(1, tx.texts(held.stream().map(Ids.Held::row).toList()));
        statement.setArray(2, tx.longs(held.stream().map(Ids.Held::micros).toList()));
        statement.setArray(
                3, tx.array("integer", held.stream().map(Ids.Held::tries).toArray(Integer[]::new)));
        return 4;
    }

    private static SettleResult result(PreparedStatement statement) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>();
        long now = read(statement, outcomes);
        return SettleResult.builder()
                .outcomes(outcomes)
                .storageMillis(now / MessageRow.MICROS_PER_MILLI)
                .build();
    }

    /** Reads {@link #OUTCOMES}; returns the time in microseconds. */
    static long read(PreparedStatement statement, List<Outcome> outcomes) throws SQLException {
        long now = 0;
        try (ResultSet rows = SqlTransaction.resultAfter(1, statement)) {
            while (rows.next()) {
                Outcome lost = rows.getBoolean(2) ? Outcome.STALE : Outcome.GONE;
                outcomes.add(rows.getBoolean(1) ? Outcome.DONE : lost);
                now = rows.getLong(3);
            }
        }
        return now;
    }

    /** The result for a queue without a table. */
    static SettleResult gone(int count) {
        Outcome[] outcomes = new Outcome[count];
        Arrays.fill(outcomes, Outcome.GONE);
        return SettleResult.builder().outcomes(List.of(outcomes)).build();
    }
}
