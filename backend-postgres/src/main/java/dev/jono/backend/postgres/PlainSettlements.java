package dev.jono.backend.postgres;

import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Acks and extensions that are one statement, and so one round trip. Both may be done twice: a repeated ack finds its message
 * gone, and a repeated extension sets the same lease again.
 */
final class PlainSettlements {
    /** The number of the queue; its parameter is the name. */
    static final String QUEUE = "(SELECT id FROM jono.queue WHERE name = ?)";

    /**
     * The messages that the receipts hold. Only held messages have a claim. An array, and no join: so the server looks up each
     * message, in the order of the ids, whatever it believes of the size of the table.
     */
    static final String IS_HELD = " m.id = ANY (ARRAY (SELECT id FROM receipt)) AND m.queue = " + QUEUE
            + " AND ((m.id, m.claim) IN (SELECT id, claim FROM receipt)) IS TRUE";

    /**
     * The receipts that were not settled, by their places: whether the queue has the message, and whether the receipt holds it and it
     * has an ordering key.
     */
    static final String NOT_SETTLED =
            " UNION ALL SELECT NULL, r.place, m.claim IS NOT NULL, coalesce(m.claim = r.claim AND m.with_key, false)"
                    + " FROM receipt r LEFT JOIN LATERAL (SELECT m.claim, m.key IS NOT NULL AS with_key FROM jono.message m"
                    + " WHERE m.id = r.id AND m.queue = " + QUEUE + " LIMIT 1) AS m ON true"
                    + " WHERE (SELECT count(*) FROM done) < (SELECT count(*) FROM receipt)"
                    + " AND NOT EXISTS (SELECT 1 FROM done WHERE done.id = r.id AND done.claim = r.claim)";

    private static final String OUTCOMES =
            " SELECT jono.millis(), NULL::integer, NULL::boolean, NULL::boolean" + NOT_SETTLED;

    private static final String ACK = SqlTransaction.BY_INDEX + Settlements.RECEIPTS
            + " done AS (DELETE FROM jono.message m WHERE" + IS_HELD + " AND m.key IS NULL RETURNING m.id, m.claim)"
            + OUTCOMES;

    private static final String EXTEND = SqlTransaction.BY_INDEX + Settlements.RECEIPTS
            + " done AS (UPDATE jono.message m SET lease = jono.millis() + ? WHERE" + IS_HELD
            + " RETURNING m.id, m.claim)"
            + OUTCOMES;

    private PlainSettlements() {}

    /** Acks the messages without ordering keys. */
    static Acked ack(SqlTransaction tx, QueueView view, List<Receipt> receipts) throws SQLException {
        try (PreparedStatement ack = tx.prepare(ACK)) {
            int next = Settlements.bind(ack, tx, receipts);
            ack.setString(next, view.queue());
            ack.setString(next + 1, view.queue());
            return read(ack, receipts.size());
        }
    }

    static SettleResult extend(SqlTransaction tx, QueueView view, ExtendRequest request) throws SQLException {
        try (PreparedStatement extend = tx.prepare(EXTEND)) {
            int next = Settlements.bind(extend, tx, request.receipts());
            extend.setLong(next, request.leaseMillis());
            extend.setString(next + 1, view.queue());
            extend.setString(next + 2, view.queue());
            return read(extend, request.receipts().size()).result();
        }
    }

    /**
     * What became of the receipts.
     *
     * @param left the places of those that hold messages with ordering keys, which were not acked
     * @param postponed whether the next claim is left to admit the next messages of some keys
     */
    record Acked(List<Outcome> outcomes, List<Integer> left, boolean postponed, long nowMillis) {
        SettleResult result() {
            return SettleResult.builder()
                    .outcomes(outcomes)
                    .storageMillis(nowMillis)
                    .build();
        }

        /** The result, after the others were acked too. */
        SettleResult with(SettleResult others) {
            List<Outcome> all = new ArrayList<>(outcomes);
            for (int i = 0; i < left.size(); i++) {
                all.set(left.get(i), others.outcomes().get(i));
            }
            return SettleResult.builder()
                    .outcomes(all)
                    .storageMillis(others.storageMillis())
                    .promotedMillis(others.promotedMillis())
                    .build();
        }
    }

    private static Acked read(PreparedStatement statement, int receipts) throws SQLException {
        try (ResultSet rows = SqlTransaction.resultAfter(1, statement)) {
            return read(rows, receipts);
        }
    }

    /** Reads the row of the time, whose last column says whether admissions are postponed, and those of {@link #NOT_SETTLED}. */
    static Acked read(ResultSet rows, int receipts) throws SQLException {
        Outcome[] outcomes = new Outcome[receipts];
        Arrays.fill(outcomes, Outcome.DONE);
        List<Integer> left = new ArrayList<>();
        boolean postponed = false;
        long now = 0;
        while (rows.next()) {
            int place = rows.getInt(2);
            if (rows.wasNull()) {
                now = rows.getLong(1);
                postponed = rows.getBoolean(4);
            } else {
                outcomes[place] = rows.getBoolean(3) ? Outcome.STALE : Outcome.GONE;
                if (rows.getBoolean(4)) {
                    left.add(place);
                }
            }
        }
        return new Acked(List.of(outcomes), left, postponed, now);
    }
}
