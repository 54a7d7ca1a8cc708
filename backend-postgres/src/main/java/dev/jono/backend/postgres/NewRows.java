package dev.jono.backend.postgres;

import dev.jono.backend.postgres.Inserts.NewRow;
import dev.jono.spi.HeaderText;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Inserts rows into the table of messages: any number by one statement. In a keyed queue, it locks their ordering keys first. */
final class NewRows {
    private static final String INSERT = "INSERT INTO jono.message"
            + " (id, queue, lease, due, tries, pushed, kind, state, key, xid, headers, payload)"
            + " SELECT coalesce(r.id, nextval('jono.message_id')), ?, ?, r.due, r.tries, r.pushed, r.kind, r.state, r.key,"
            + " r.xid, r.headers, r.payload"
            + " FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::bigint[], ?::smallint[], ?::smallint[],"
            + " ?::text[], ?::text[], ?::text[], ?::bytea[]) WITH ORDINALITY"
            + " AS r(id, due, tries, pushed, kind, state, key, xid, headers, payload, place)"
            + " ORDER BY r.place ON CONFLICT DO NOTHING RETURNING id";
    private static final String RESERVE_IDS =
            "SELECT nextval('jono.message_id') FROM generate_series(1, ?) AS n ORDER BY n";

    private final SqlTransaction tx;
    private final Queues.Found queue;

    NewRows(SqlTransaction tx, Queues.Found queue) {
        this.tx = tx;
        this.queue = queue;
    }

    /** The next row ids, in ascending order. */
    List<Long> reserveIds(int count) throws SQLException {
        try (PreparedStatement reserve = tx.prepare(RESERVE_IDS)) {
            reserve.setInt(1, count);
            return ids(reserve);
        }
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    /**
     * Inserts rows as the last ones of their ordering keys; returns the ids of those that were stored. A row whose id exists is not.
     *
     * @param lease {@link MessageRow#NEVER_LEASED} or {@link MessageRow#LEASED_ELSEWHERE}
     */
    List<Long> insert(List<NewRow> rows, long lease) throws SQLException {
        if (rows.isEmpty()) {
            return List.of();
        }
        if (!queue.keyed() || rows.stream().allMatch(row -> row.key() == null)) {
            return insert(rows, lease, new Short[rows.size()], false);
        }
        OrderingKeys keys = new OrderingKeys(tx, queue);
        Set<String> present =
                rows.stream().map(NewRow::key).filter(key -> key != null).collect(Collectors.toSet());
        keys.lock(present);
        Map<String, Integer> room = keys.room(present);
        Short[] states = new Short[rows.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = state(rows.get(i), keys, room);
        }
        return insert(rows, lease, states, true);
    }

    /** Whether a row is free or blocked. */
    private static short state(NewRow row, OrderingKeys keys, Map<String, Integer> room) {
        String key = row.key();
        if (key == null || !keys.takesRoom(row.dueMillis())) {
            return MessageRow.FREE;
        }
        return room.merge(key, -1, Integer::sum) >= 0 ? (short) MessageRow.FREE : (short) MessageRow.BLOCKED;
    }

    private List<Long> insert(List<NewRow> rows, long lease, Short[] states, boolean withKeys) throws SQLException {
        try (PreparedStatement insert = tx.prepare(INSERT)) {
            insert.setInt(1, queue.id());
            insert.setLong(2, lease);
            insert.setArray(3, tx.array("bigint", rows.stream().map(NewRow::id).toArray(Long[]::new)));
            insert.setArray(4, tx.longs(rows.stream().map(NewRow::dueMillis).toList()));
            insert.setArray(
                    5, tx.array("integer", rows.stream().map(NewRow::tries).toArray(Integer[]::new)));
            insert.setArray(6, tx.longs(rows.stream().map(NewRow::pushedMillis).toList()));
            insert.setArray(
                    7, tx.array("smallint", rows.stream().map(NewRows::kind).toArray(Short[]::new)));
            insert.setArray(8, tx.array("smallint", withKeys ? states : free(states.length)));
            insert.setArray(
                    9,
                    texts(rows.stream().map(row -> withKeys ? row.key() : null).toArray(String[]::new)));
            insert.setArray(10, texts(rows.stream().map(NewRow::xid).toArray(String[]::new)));
            insert.setArray(
                    11,
                    texts(rows.stream()
                            .map(row -> HeaderText.write(row.headers()))
                            .toArray(String[]::new)));
            insert.setArray(
                    12,
                    tx.array(
                            "bytea",
                            rows.stream().map(row -> row.payload().bytes()).toArray(byte[][]::new)));
            return ids(insert);
        }
    }

    private java.sql.Array texts(@Nullable String[] values) throws SQLException {
        return tx.array("text", values);
    }

    private static Short kind(NewRow row) {
        return MessageRow.code(row.payload().kind());
    }

    private static Short[] free(int count) {
        Short[] states = new Short[count];
        java.util.Arrays.fill(states, (short) MessageRow.FREE);
        return states;
    }
}
