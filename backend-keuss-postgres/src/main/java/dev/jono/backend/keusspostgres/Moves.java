package dev.jono.backend.keusspostgres;

import dev.jono.EncodedPayload;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Moves reserved messages into other tables, or back into their own: one statement for each target deletes and inserts the rows.
 * Used by one thread, within one transaction.
 */
final class Moves {
    /** A row that is no message becomes one with the stored bytes, so that the dead letter can be read. */
    private static final String OBJECT = "CASE WHEN jsonb_typeof(m._pl) = 'object' THEN m._pl ELSE jsonb_build_object("
            + "'type', 'buffer', 'payload', encode(convert_to(coalesce(m._pl::text, ''), 'UTF8'), 'base64')) END";

    private static final String HEADERS = "(CASE WHEN jsonb_typeof(m._pl -> 'hdrs') = 'object' THEN m._pl -> 'hdrs'"
            + " ELSE '{}' END - ARRAY(SELECT jsonb_array_elements_text(f.drops::jsonb))) || f.adds::jsonb";

    private static final String PAYLOAD = "CASE WHEN f.payload IS NULL THEN " + OBJECT + " ELSE " + OBJECT
            + " - '{payload,type,kind,json}'::text[] || f.payload::jsonb END";

    private static final String MOVE = SqlTransaction.BY_INDEX
            + "WITH item AS (SELECT * FROM unnest(?::text[], ?::bigint[], ?::integer[],"
            + " ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY"
            + " AS i(id, micros, tries, due, delay, counted, payload, adds, drops, place)),"
            + Settlements.HELD + Settlements.FIRST
            + " moved AS (DELETE FROM $table m WHERE" + Settlements.IS_HELD + " RETURNING m._id, m._pl),"
            + " stored AS (INSERT INTO $target (_id, _pl, mature, tries) SELECT m._id, jsonb_set(" + PAYLOAD
            + ", '{hdrs}', " + HEADERS + "), coalesce(" + MessageRow.time("f.due * 1000") + ", (SELECT now FROM clock)"
            + " + f.delay * interval '1 millisecond'), f.counted FROM moved m JOIN first f ON f.id = m._id"
            + " ORDER BY f.place ON CONFLICT (_id) DO NOTHING)" + Settlements.OUTCOMES;

    private final SqlTransaction tx;
    private final QueueTable table;
    private final Map<String, QueueTable> targets;

    /** @param targets the tables of all queues that messages are moved to */
    Moves(SqlTransaction tx, QueueTable table, Map<String, QueueTable> targets) {
        this.tx = tx;
        this.table = table;
        this.targets = targets;
    }

    SettleResult move(List<MoveItem> items) throws SQLException {
        Map<String, List<Integer>> byTarget = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            byTarget.computeIfAbsent(items.get(i).toQueue(), queue -> new ArrayList<>())
                    .add(i);
        }
        Outcome[] outcomes = new Outcome[items.size()];
        long now = 0;
        for (Map.Entry<String, List<Integer>> target : byTarget.entrySet()) {
            List<MoveItem> moved = target.getValue().stream().map(items::get).toList();
            List<Outcome> found = new ArrayList<>();
            now = move(target.getKey(), moved, found);
            for (int i = 0; i < found.size(); i++) {
                outcomes[target.getValue().get(i)] = found.get(i);
            }
        }
        return SettleResult.builder()
                .outcomes(Arrays.asList(outcomes))
                .storageMillis(now / MessageRow.MICROS_PER_MILLI)
                .build();
    }

    private long move(String toQueue, List<MoveItem> items, List<Outcome> outcomes) throws SQLException {
        QueueTable target = targets.getOrDefault(toQueue, table);
        UnaryOperator<String> named = sql -> table.apply(sql.replace("$target", target.name()));
        try (PreparedStatement move = tx.prepare(MOVE, named)) {
            int next = Settlements.bind(
                    move, tx, items.stream().map(MoveItem::receipt).toList());
            List<Due> dues = items.stream().map(MoveItem::due).toList();
            move.setArray(next, tx.array("bigint", Times.instants(dues)));
            move.setArray(next + 1, tx.array("bigint", Times.delays(dues)));
            move.setArray(
                    next + 2,
                    tx.array("integer", items.stream().map(MoveItem::tries).toArray(Integer[]::new)));
            move.setArray(
                    next + 3,
                    tx.array("text", items.stream().map(Moves::payload).toArray(String[]::new)));
            move.setArray(
                    next + 4,
                    tx.array(
                            "text",
                            items.stream()
                                    .map(item -> PayloadWriter.headers(toQueue, item.addHeaders()))
                                    .toArray(String[]::new)));
            move.setArray(
                    next + 5,
                    tx.array(
                            "text",
                            items.stream()
                                    .map(item -> PayloadWriter.array(item.dropHeaders()))
                                    .toArray(String[]::new)));
            return Settlements.read(move, outcomes);
        }
    }

    private static @Nullable String payload(MoveItem item) {
        EncodedPayload payload = item.payload();
        return payload == null ? null : PayloadWriter.fields(payload);
    }
}
