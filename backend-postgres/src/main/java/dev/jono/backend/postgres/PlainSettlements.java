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
import java.util.List;
import java.util.Optional;

/**
 * Acks and extensions that are one statement, and so one round trip. Both may be done twice: a repeated ack finds its message
 * gone, and a repeated extension sets the same lease again.
 */
final class PlainSettlements {
    private static final String QUEUE = "(SELECT id FROM jono.queue WHERE name = ?)";

    private static final String HELD = " held AS MATERIALIZED (SELECT m.id, m.claim, m.key FROM jono.message m"
            + " WHERE m.queue = " + QUEUE + " AND m.state = 1 AND (m.id, m.claim) IN (SELECT id, claim FROM receipt)"
            + " ORDER BY m.id FOR UPDATE),";

    private static final String OUTCOMES = " SELECT done.id IS NOT NULL, EXISTS (SELECT 1 FROM jono.message m"
            + " WHERE m.id = r.id AND m.queue = " + QUEUE + "), held.key, done.id, jono.millis() FROM receipt r"
            + " LEFT JOIN done ON done.id = r.id AND done.claim = r.claim"
            + " LEFT JOIN held ON held.id = r.id AND held.claim = r.claim ORDER BY r.place";

    private static final String ACK = Settlements.RECEIPTS + HELD + " done AS (DELETE FROM jono.message m USING held"
            + " WHERE m.id = held.id AND held.key IS NULL RETURNING m.id, m.claim)" + OUTCOMES;

    private static final String EXTEND = Settlements.RECEIPTS + HELD + " done AS (UPDATE jono.message m"
            + " SET lease = jono.millis() + ? FROM held WHERE m.id = held.id RETURNING m.id, m.claim)" + OUTCOMES;

    private PlainSettlements() {}

    /** Acks messages without ordering keys; empty if one of the messages has a key, which is not acked then. */
    static Optional<SettleResult> ack(SqlTransaction tx, QueueView view, List<Receipt> receipts) throws SQLException {
        try (PreparedStatement ack = tx.prepare(ACK)) {
            Settlements.bind(ack, tx, receipts);
            ack.setString(3, view.queue());
            ack.setString(4, view.queue());
            Result result = read(ack);
            return result.withKey ? Optional.empty() : Optional.of(result.result());
        }
    }

    static SettleResult extend(SqlTransaction tx, QueueView view, ExtendRequest request) throws SQLException {
        try (PreparedStatement extend = tx.prepare(EXTEND)) {
            Settlements.bind(extend, tx, request.receipts());
            extend.setString(3, view.queue());
            extend.setLong(4, request.leaseMillis());
            extend.setString(5, view.queue());
            return read(extend).result();
        }
    }

    /** @param withKey whether one of the messages has an ordering key */
    private record Result(List<Outcome> outcomes, boolean withKey, long nowMillis) {
        SettleResult result() {
            return SettleResult.builder()
                    .outcomes(outcomes)
                    .storageMillis(nowMillis)
                    .build();
        }
    }

    private static Result read(PreparedStatement statement) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>();
        boolean withKey = false;
        long now = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                outcomes.add(Settlements.Settled.read(rows).outcome());
                withKey |= rows.getString(3) != null;
                now = rows.getLong(5);
            }
        }
        return new Result(outcomes, withKey, now);
    }
}
