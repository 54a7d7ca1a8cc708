package dev.jono.backend.keusspostgres;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.PayloadTooLargeException;
import dev.jono.spi.Due;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages with one statement, within a transaction that the caller begins and ends, so it may be one of the
 * application. Used by one thread, for one call.
 */
final class Inserts {
    /** A value in JSONB has 256 MiB at most. Base64, or the second text of a JSON payload, must fit in too. */
    static final long MAX_PAYLOAD_BYTES = 64L << 20;

    /**
     * The first message is stored at the time of the server's clock, and each further one a microsecond later: so they have an
     * order. A message that is due now is due at that time. One whose id is taken is left out.
     */
    private static final String INSERT = "WITH clock AS MATERIALIZED (SELECT " + MessageRow.micros("clock_timestamp()")
            + " AS now), item AS MATERIALIZED (SELECT r.*, now + r.place - 1 AS micros"
            + " FROM clock, unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::integer[]) WITH ORDINALITY"
            + " AS r(id, pl, due, delay, tries, place)),"
            + " fresh AS MATERIALIZED (SELECT item.*, coalesce(id, " + Ids.NEW + ") AS row FROM item),"
            + " done AS (INSERT INTO $table (_id, _pl, mature, tries) SELECT row, pl::jsonb, "
            + MessageRow.time("coalesce(due * 1000, micros + delay * 1000)") + ", tries FROM fresh ORDER BY place"
            + " ON CONFLICT (_id) DO NOTHING RETURNING _id)"
            + " SELECT f.row, d._id IS NOT NULL, now FROM clock, fresh f LEFT JOIN done d ON d._id = f.row ORDER BY f.place";

    private final SqlTransaction tx;
    private final QueueTable table;
    private final String queue;

    Inserts(SqlTransaction tx, QueueTable table, String queue) {
        this.tx = tx;
        this.table = table;
        this.queue = queue;
    }

    /**
     * A row to be stored.
     *
     * @param index its place in the list of the call
     * @param row its id; null for a new one
     * @param id the id that the message shows; null for that of the row
     * @param stored the value of {@code _pl}
     */
    private record Row(
            int index, @Nullable String row, @Nullable String id, String stored, Due due, int tries) {}

    /** Stores messages in the order of the list. */
    InsertResult insert(List<NewMessage> messages) throws SQLException {
        Item[] items = new Item[messages.size()];
        List<Row> rows = new ArrayList<>(items.length);
        for (int i = 0; i < items.length; i++) {
            NewMessage message = messages.get(i);
            try {
                rows.add(row(i, message.id(), message.payload(), message.headers(), message.due(), message.tries()));
            } catch (EncodingException | PayloadTooLargeException refused) {
                items[i] = Item.failed(refused);
            }
        }
        return store(rows, items);
    }

    /** Puts back messages that a take has removed. */
    InsertResult restore(List<StoredMessage> messages) throws SQLException {
        Item[] items = new Item[messages.size()];
        List<Row> rows = new ArrayList<>(items.length);
        for (int i = 0; i < items.length; i++) {
            StoredMessage message = messages.get(i);
            Due due = Due.atMillis(message.dueMillis());
            rows.add(row(i, message.id(), message.payload(), message.headers(), due, message.tries()));
        }
        return store(rows, items);
    }

    private Row row(int index, @Nullable String id, EncodedPayload payload, Headers headers, Due due, int tries) {
        if (payload.size() > MAX_PAYLOAD_BYTES) {
            throw new PayloadTooLargeException(
                    "a payload of " + payload.size() + " bytes for queue '" + queue
                            + "' is over the limit of the backend " + KeussPostgresBackendProvider.TYPE + ", "
                            + MAX_PAYLOAD_BYTES + " bytes",
                    queue,
                    id,
                    null);
        }
        String row = id == null ? null : Ids.row(id);
        String shown = id == null || id.equals(row) ? null : id;
        return new Row(index, row, id, PayloadWriter.write(queue, payload, headers, shown), due, tries);
    }

    private InsertResult store(List<Row> rows, Item[] items) throws SQLException {
        if (rows.isEmpty()) {
            return result(items, tx.nowMillis());
        }
        try (PreparedStatement insert = tx.prepare(INSERT, table)) {
            insert.setArray(1, tx.array("text", rows.stream().map(Row::row).toArray(String[]::new)));
            insert.setArray(2, tx.array("text", rows.stream().map(Row::stored).toArray(String[]::new)));
            List<Due> dues = rows.stream().map(Row::due).toList();
            insert.setArray(3, tx.array("bigint", Times.instants(dues)));
            insert.setArray(4, tx.array("bigint", Times.delays(dues)));
            insert.setArray(5, tx.array("integer", rows.stream().map(Row::tries).toArray(Integer[]::new)));
            try (ResultSet stored = insert.executeQuery()) {
                return read(stored, rows, items);
            }
        }
    }

    private static InsertResult read(ResultSet stored, List<Row> rows, Item[] items) throws SQLException {
        long now = 0;
        for (Row row : rows) {
            stored.next();
            String id = row.id == null ? stored.getString(1) : row.id;
            items[row.index] = stored.getBoolean(2) ? Item.stored(id) : Item.duplicate(id);
            now = stored.getLong(3);
        }
        return result(items, now / MessageRow.MICROS_PER_MILLI);
    }

    private static InsertResult result(Item[] items, long nowMillis) {
        return InsertResult.builder()
                .items(Arrays.asList(items))
                .storageMillis(nowMillis)
                .build();
    }
}
