package dev.jono.backend.postgres;

import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Acks and releases of reservations. Each takes effect only while the row has the claim of the receipt. Used by one thread,
 * within one transaction.
 */
final class Settlements {
    /** The receipts of a call; {@link #bind} sets the parameters. */
    static final String RECEIPTS = "WITH receipt AS (SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::integer[])"
            + " AS r(id, claim, place)),";

    /** For each receipt whether it was settled, whether the queue has its message, and the message's key and row id. */
    static final String OUTCOMES = " SELECT done.id IS NOT NULL, EXISTS (SELECT 1 FROM jono.message m WHERE m.id = r.id"
            + " AND m.queue = ? OFFSET 0), done.key, done.id FROM receipt r LEFT JOIN done ON done.id = r.id AND done.claim = r.claim"
            + " ORDER BY r.place";

    /** Locks the rows in the order of their ids, as all calls do that lock several. */
    private static final String HELD =
            " held AS MATERIALIZED (SELECT h.* FROM (SELECT DISTINCT id, claim FROM receipt ORDER BY id) r"
                    + " CROSS JOIN LATERAL (SELECT m.id, m.claim, m.key FROM jono.message m WHERE m.id = r.id AND m.claim = r.claim"
                    + " AND m.queue = ? LIMIT 1 FOR UPDATE) AS h),";

    private static final String ACK = RECEIPTS + HELD + " done AS (DELETE FROM jono.message m"
            + " WHERE m.id = ANY (ARRAY (SELECT id FROM held)) RETURNING m.id, m.claim, m.key)" + OUTCOMES;

    private static final String FIND_HELD = RECEIPTS + HELD + " done AS (SELECT id, claim, key FROM held)" + OUTCOMES;

    private static final String RELEASE = "UPDATE jono.message m SET state = 0, claim = 0,"
            + " due = coalesce(r.due, m.due), tries = greatest(0, m.tries - r.uncounted)"
            + " FROM unnest(?::bigint[], ?::bigint[], ?::integer[]) AS r(id, due, uncounted) WHERE m.id = r.id"
            + " AND m.id = ANY (?::bigint[]) RETURNING m.due";

    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;
    private final OrderingKeys keys;
    private long earliestReleased = Long.MAX_VALUE;

    Settlements(SqlTransaction tx, QueueView view, Queues.Found queue) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
        this.keys = new OrderingKeys(tx, queue);
    }

    /**
     * What became of one receipt.
     *
     * @param key the ordering key of the message, if it is done; null for none
     * @param row the row id of the message, if it is done
     */
    record Settled(Outcome outcome, @Nullable String key, long row) {
        boolean done() {
            return outcome == Outcome.DONE;
        }

        /** Reads a row of {@link #OUTCOMES}. */
        static Settled read(ResultSet rows) throws SQLException {
            boolean done = rows.getBoolean(1);
            Outcome lost = rows.getBoolean(2) ? Outcome.STALE : Outcome.GONE;
            return new Settled(done ? Outcome.DONE : lost, rows.getString(3), rows.getLong(4));
        }
    }

    SettleResult ack(List<Receipt> receipts) throws SQLException {
        if (view.historyMillis() > 0) {
            List<Long> rows = find(receipts).stream()
                    .filter(Settled::done)
                    .map(Settled::row)
                    .distinct()
                    .toList();
            History.keep(tx, view, queue.nowMillis(), rows);
        }
        List<Settled> settled = settle(ACK, receipts);
        promote(settled);
        return result(outcomes(settled));
    }

    /** Locks the messages of receipts that still hold them. */
    List<Settled> find(List<Receipt> receipts) throws SQLException {
        return settle(FIND_HELD, receipts);
    }

    private List<Settled> settle(String sql, List<Receipt> receipts) throws SQLException {
        List<Settled> settled = new ArrayList<>(receipts.size());
        try (PreparedStatement statement = tx.prepare(sql)) {
            int next = bind(statement, tx, receipts);
            statement.setInt(next, queue.id());
            statement.setInt(next + 1, queue.id());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    settled.add(Settled.read(rows));
                }
            }
        }
        return settled;
    }

    /**
     * Binds the parameters of {@link #RECEIPTS}, in the order of the row ids: so rows are locked in that order.
     *
     * @return the index of the next parameter
     */
    static int bind(PreparedStatement statement, SqlTransaction tx, List<Receipt> receipts) throws SQLException {
        List<Integer> places = IntStream.range(0, receipts.size())
                .boxed()
                .sorted(Comparator.comparingLong(place -> Ids.row(receipts.get(place))))
                .toList();
        statement.setArray(
                1,
                tx.longs(places.stream()
                        .map(place -> Ids.row(receipts.get(place)))
                        .toList()));
        statement.setArray(
                2,
                tx.longs(places.stream()
                        .map(place -> Ids.claim(receipts.get(place)))
                        .toList()));
        statement.setArray(3, tx.array("integer", places.toArray()));
        return 4;
    }

    /** Admits the messages that were blocked by messages that are gone. */
    void promote(List<Settled> left) throws SQLException {
        Set<String> changed = new HashSet<>();
        for (Settled each : left) {
            if (each.done() && each.key() != null) {
                changed.add(each.key());
            }
        }
        keys.promote(changed);
    }

    private static List<Outcome> outcomes(List<Settled> settled) {
        return settled.stream().map(Settled::outcome).toList();
    }

    SettleResult result(List<Outcome> outcomes) {
        return SettleResult.builder()
                .outcomes(outcomes)
                .storageMillis(queue.nowMillis())
                .promotedMillis(keys.promotedMillis())
                .build();
    }

    /** Gives messages back. In a keyed queue one by one, because each takes the later ones of its key with it. */
    SettleResult release(List<ReleaseRequest.Item> items) throws SQLException {
        if (!queue.keyed()) {
            return result(outcomes(releaseAll(items)));
        }
        List<Outcome> outcomes = new ArrayList<>(items.size());
        List<Settled> released = new ArrayList<>();
        for (ReleaseRequest.Item item : items) {
            Settled settled = releaseAll(List.of(item)).get(0);
            outcomes.add(settled.outcome());
            String key = settled.key();
            if (key != null && settled.done()) {
                keys.takeBackBehind(settled.row(), key);
                keys.blockBehind(settled.row());
                released.add(settled);
            }
        }
        promote(released);
        return result(outcomes);
    }

    /** The earliest due time of the messages that were given back; the largest number if there are none. */
    long earliestReleased() {
        return earliestReleased;
    }

    private List<Settled> releaseAll(List<ReleaseRequest.Item> items) throws SQLException {
        List<Settled> held =
                find(items.stream().map(ReleaseRequest.Item::receipt).toList());
        List<Long> rows = new ArrayList<>();
        List<@Nullable Long> dues = new ArrayList<>();
        List<Integer> uncounted = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            if (held.get(i).done() && !rows.contains(held.get(i).row())) {
                Due due = items.get(i).due();
                rows.add(held.get(i).row());
                dues.add(due == null ? null : (Long) due.resolve(queue.nowMillis()));
                uncounted.add(items.get(i).counted() ? 0 : 1);
            }
        }
        if (!rows.isEmpty()) {
            try (PreparedStatement release = tx.prepare(RELEASE)) {
                release.setArray(1, tx.longs(rows));
                release.setArray(2, tx.array("bigint", dues.toArray()));
                release.setArray(3, tx.array("integer", uncounted.toArray()));
                release.setArray(4, tx.longs(rows));
                try (ResultSet released = release.executeQuery()) {
                    while (released.next()) {
                        earliestReleased = Math.min(earliestReleased, released.getLong(1));
                    }
                }
            }
        }
        return held;
    }
}
