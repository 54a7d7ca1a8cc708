package dev.jono.backend.postgres;

import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Acks in a queue of which one message of a key is held at a time: one round trip, without a transaction around it. It may be done
 * twice: the repetition finds the messages gone, and reports that others may have been admitted in their places. Used by one thread, for
 * one call.
 */
final class StrictAck {
    private static final int MAX_PER_KEY = 1;
    private static final String QUEUE = "(SELECT id FROM jono.queue WHERE name = ?)";

    /** Parameters are those of {@link Settlements#bind}, and the name of the queue three times. */
    private static final String ACK = Settlements.RECEIPTS + " queue AS MATERIALIZED (SELECT " + QUEUE + " AS id),"
            + " done AS (DELETE FROM jono.message m WHERE" + PlainSettlements.IS_HELD
            + " RETURNING m.id, m.claim, m.key),"
            + " changed AS MATERIALIZED (SELECT DISTINCT key FROM done WHERE key IS NOT NULL)," + PromotionSql.LOCK
            + " SELECT jono.millis(), NULL::integer, " + PromotionSql.HAND_OVER + " IS NULL, " + PromotionSql.POSTPONED
            + PlainSettlements.NOT_SETTLED;

    private static final String ACK_AND_PROMOTE = SqlTransaction.BY_INDEX + ACK + "; " + PromotionSql.promote(QUEUE);

    private final SqlTransaction tx;
    private final QueueView view;
    private long nowMillis;
    private long promotedMillis = Long.MAX_VALUE;

    StrictAck(SqlTransaction tx, QueueView view) {
        this.tx = tx;
        this.view = view;
    }

    static boolean fits(QueueView view) {
        return view.strict() && view.historyMillis() == 0;
    }

    SettleResult run(List<Receipt> receipts) throws SQLException {
        Outcome[] outcomes = new Outcome[receipts.size()];
        Arrays.fill(outcomes, Outcome.DONE);
        try (PreparedStatement ack = tx.prepare(ACK_AND_PROMOTE)) {
            bind(ack, receipts);
            try (ResultSet rows = SqlTransaction.resultAfter(1, ack)) {
                readOutcomes(rows, outcomes);
            }
            ack.getMoreResults();
            try (ResultSet rows = ack.getResultSet()) {
                while (rows.next()) {
                    promotedMillis = Math.min(promotedMillis, rows.getLong(1));
                    nowMillis = rows.getLong(2);
                }
            }
        }
        return SettleResult.builder()
                .outcomes(Arrays.asList(outcomes))
                .storageMillis(nowMillis)
                .promotedMillis(
                        promotedMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(promotedMillis))
                .build();
    }

    private void bind(PreparedStatement ack, List<Receipt> receipts) throws SQLException {
        int next = Settlements.bind(ack, tx, receipts);
        ack.setString(next, view.queue());
        ack.setString(next + 1, view.queue());
        ack.setString(next + 2, view.queue());
        ack.setNull(next + 3, Types.BIGINT);
        ack.setString(next + 4, view.queue());
        ack.setInt(next + 5, MAX_PER_KEY);
        ack.setLong(next + 6, Long.MAX_VALUE);
        ack.setInt(next + 7, MAX_PER_KEY);
    }

    private void readOutcomes(ResultSet rows, Outcome[] outcomes) throws SQLException {
        boolean othersMayFollow = false;
        while (rows.next()) {
            int place = rows.getInt(2);
            if (rows.wasNull()) {
                nowMillis = rows.getLong(1);
                othersMayFollow |= rows.getBoolean(4);
            } else {
                outcomes[place] = rows.getBoolean(3) ? Outcome.STALE : Outcome.GONE;
                othersMayFollow |= outcomes[place] == Outcome.GONE;
            }
        }
        if (othersMayFollow) {
            promotedMillis = nowMillis;
        }
    }
}
