package dev.jono.backend.postgres;

import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;

/**
 * Acks in a queue of which one message of a key is held at a time: one round trip, without a transaction around it. It may be done
 * twice: the repetition finds the messages gone, and reports that others may have been admitted in their places. Used by one thread, for
 * one call.
 */
final class StrictAck {
    private static final int MAX_PER_KEY = 1;

    /** Parameters are those of {@link Settlements#bind}, and the name of the queue three times. The third column has no meaning. */
    private static final String ACK = Settlements.RECEIPTS + " queue AS MATERIALIZED (SELECT " + PlainSettlements.QUEUE
            + " AS id),"
            + " done AS (DELETE FROM jono.message m WHERE" + PlainSettlements.IS_HELD
            + " RETURNING m.id, m.claim, m.key),"
            + " changed AS MATERIALIZED (SELECT DISTINCT key FROM done WHERE key IS NOT NULL)," + PromotionSql.LOCK
            + " SELECT jono.millis(), NULL::integer, " + PromotionSql.HAND_OVER + " IS NULL, " + PromotionSql.POSTPONED
            + PlainSettlements.NOT_SETTLED;

    private static final String ACK_AND_PROMOTE =
            SqlTransaction.BY_INDEX + ACK + "; " + PromotionSql.promote(PlainSettlements.QUEUE);

    private final SqlTransaction tx;
    private final QueueView view;

    StrictAck(SqlTransaction tx, QueueView view) {
        this.tx = tx;
        this.view = view;
    }

    static boolean fits(QueueView view) {
        return view.strict() && view.historyMillis() == 0;
    }

    SettleResult run(List<Receipt> receipts) throws SQLException {
        try (PreparedStatement ack = tx.prepare(ACK_AND_PROMOTE)) {
            bind(ack, receipts);
            PlainSettlements.Acked acked;
            try (ResultSet rows = SqlTransaction.resultAfter(1, ack)) {
                acked = PlainSettlements.read(rows, receipts.size());
            }
            ack.getMoreResults();
            try (ResultSet promoted = ack.getResultSet()) {
                return result(acked, promoted);
            }
        }
    }

    private static SettleResult result(PlainSettlements.Acked acked, ResultSet promoted) throws SQLException {
        long now = acked.nowMillis();
        OptionalLong earliest = mayFollow(acked) ? OptionalLong.of(now) : OptionalLong.empty();
        while (promoted.next()) {
            earliest = OptionalLong.of(Math.min(earliest.orElse(Long.MAX_VALUE), promoted.getLong(1)));
            now = promoted.getLong(2);
        }
        return SettleResult.builder()
                .outcomes(acked.outcomes())
                .storageMillis(now)
                .promotedMillis(earliest)
                .build();
    }

    /** Whether the next claim can find messages that this call does not return: by its own work, or by that of the first call. */
    private static boolean mayFollow(PlainSettlements.Acked acked) {
        return acked.postponed() || acked.outcomes().contains(Outcome.GONE);
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
}
