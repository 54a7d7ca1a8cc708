package dev.jono.backend.postgres;

import dev.jono.spi.Due;
import dev.jono.spi.HeaderText;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.support.postgres.RepeatableTransactions;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A push of messages without ids and unique keys to a queue without ordering keys: one round trip. It does nothing if the
 * database has no such queue. The ids are stored with the token, for a repetition after a lost answer. Used by one thread, for one
 * call.
 */
final class PlainInserts implements RepeatableTransactions.OneStatement<InsertResult> {
    /** The statements are sent together. The second one sees what was committed before the lock was there. */
    private static final String INSERT =
            Queues.LOCK_SHARED + "; WITH clock AS MATERIALIZED (SELECT jono.millis() AS now),"
                    + " queue AS MATERIALIZED (SELECT id FROM jono.queue WHERE name = ? AND max_per_key = 0),"
                    + " stored AS (INSERT INTO jono.message (queue, due, tries, pushed, kind, headers, payload)"
                    + " SELECT q.id, coalesce(r.due, c.now + coalesce(r.delay, 0)), coalesce(r.tries, 0), c.now, r.kind, r.headers, r.payload"
                    + " FROM queue q, clock c, unnest(?::bigint[], ?::bigint[], ?::integer[], ?::smallint[], ?::text[], ?::bytea[])"
                    + " WITH ORDINALITY AS r(due, delay, tries, kind, headers, payload, place) ORDER BY r.place RETURNING id),"
                    + " token AS (INSERT INTO jono.call (token, at, ids) SELECT t.token, c.now, (SELECT array_agg(id) FROM stored)"
                    + " FROM (SELECT ?::text AS token) t, clock c, queue WHERE t.token IS NOT NULL)"
                    + " SELECT id, (SELECT now FROM clock) FROM stored";

    private static final String RECOVER = "SELECT unnest(ids), at FROM jono.call WHERE token = ? AND ids IS NOT NULL";

    private final QueueView view;
    private final String token;
    private final List<NewMessage> messages;

    PlainInserts(QueueView view, String token, List<NewMessage> messages) {
        this.view = view;
        this.token = token;
        this.messages = messages;
    }

    /** Whether one statement can store these messages. */
    static boolean fits(QueueView view, List<NewMessage> messages) {
        return view.maxPerKey() == 0
                && messages.stream()
                        .allMatch(message -> message.id() == null
                                && message.unique() == null
                                && message.payload().size() <= Inserts.MAX_PAYLOAD_BYTES);
    }

    @Override
    public @Nullable InsertResult run(SqlTransaction tx, @Nullable String newToken) throws SQLException {
        try (PreparedStatement insert = tx.prepare(INSERT)) {
            insert.setLong(1, view.lockNumber(view.queue()));
            insert.setString(2, view.queue());
            insert.setArray(3, tx.array("bigint", each(PlainInserts::dueMillis, Long[]::new)));
            insert.setArray(4, tx.array("bigint", each(PlainInserts::delayMillis, Long[]::new)));
            insert.setArray(5, tx.array("integer", each(PlainInserts::triesBefore, Integer[]::new)));
            insert.setArray(
                    6,
                    tx.array(
                            "smallint",
                            each(message -> MessageRow.code(message.payload().kind()), Short[]::new)));
            insert.setArray(7, tx.array("text", each(message -> HeaderText.write(message.headers()), String[]::new)));
            insert.setArray(
                    8, tx.array("bytea", each(message -> message.payload().bytes(), byte[][]::new)));
            insert.setString(9, newToken);
            try (ResultSet rows = SqlTransaction.resultAfter(1, insert)) {
                InsertResult result = result(rows);
                return result.items().isEmpty() ? null : result;
            }
        }
    }

    /**
     * A value of each message. Empty if all are null, which is less to send and to read: where {@code unnest} gets arrays of
     * several lengths, it fills the shorter ones with nulls (PostgreSQL, chapter Table Functions).
     */
    private <V> @Nullable V[] each(Function<NewMessage, @Nullable V> value, IntFunction<@Nullable V[]> array) {
        @Nullable V[] values = messages.stream().map(value).toArray(array);
        return Stream.of(values).allMatch(Objects::isNull) ? array.apply(0) : values;
    }

    /** The due time of a message that has one; null if it has a delay. */
    private static @Nullable Long dueMillis(NewMessage message) {
        Due due = message.due();
        return due.absolute() ? due.millis() : null;
    }

    /** The delay of a message that has one; null if it has none. */
    private static @Nullable Long delayMillis(NewMessage message) {
        Due due = message.due();
        return due.absolute() || due.millis() == 0 ? null : due.millis();
    }

    /** The deliveries that count as made before; null for none. */
    private static @Nullable Integer triesBefore(NewMessage message) {
        return message.tries() == 0 ? null : message.tries();
    }

    @Override
    public InsertResult recover(SqlTransaction tx) throws SQLException {
        try (PreparedStatement select = tx.prepare(RECOVER)) {
            select.setString(1, token);
            try (ResultSet rows = select.executeQuery()) {
                return result(rows);
            }
        }
    }

    private static InsertResult result(ResultSet rows) throws SQLException {
        List<Item> items = new ArrayList<>();
        long now = 0;
        while (rows.next()) {
            items.add(Item.stored(Long.toString(rows.getLong(1))));
            now = rows.getLong(2);
        }
        return InsertResult.builder().items(items).storageMillis(now).build();
    }
}
