package dev.jono.backend.keusspostgres;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages without changing them. Free messages are read in the order of the index. A message that is held, or whose lease
 * has ended, is there at the end of its lease, so these are sorted by their earlier due times and merged. A cursor is a time and the id of a
 * row, so it stays valid when its message is gone. Used by one thread, for one call.
 */
final class Browses {
    /** The time and id before the first message. */
    private static final Cursor BEGIN = new Cursor(-62_135_596_800_000_000L, "");

    private static final String CLOCK =
            SqlTransaction.BY_INDEX + "WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)";
    private static final String NOW = "SELECT (SELECT " + MessageRow.micros("now") + " FROM clock), ";

    private static final String PAGE = CLOCK + ", page AS (SELECT * FROM ((SELECT m.*, m.mature AS place FROM $table m"
            + " WHERE m.reserved IS NULL AND (m.mature > $after OR m.mature = $after AND m._id COLLATE \"C\" > ?)"
            + " ORDER BY m.mature, m._id COLLATE \"C\" LIMIT ?) UNION ALL (SELECT * FROM (SELECT m.*, "
            + MessageRow.DUE + " AS place FROM $table m WHERE m.reserved IS NOT NULL) AS h"
            + " WHERE (h.place, h._id COLLATE \"C\") > ($after, ?) ORDER BY h.place, h._id COLLATE \"C\" LIMIT ?)) AS u"
            + " ORDER BY place, _id COLLATE \"C\" LIMIT ?) " + NOW + MessageRow.micros("m.place") + ", "
            + MessageRow.COLUMNS + " FROM page m" + MessageRow.FIELDS + " ORDER BY m.place, m._id COLLATE \"C\"";

    private static final String BY_IDS = CLOCK + ' ' + NOW + MessageRow.micros(MessageRow.DUE) + ", "
            + MessageRow.COLUMNS + " FROM $table m" + MessageRow.FIELDS + " WHERE m._id = ANY (?::text[])";

    private final SqlTransaction tx;
    private final QueueTable table;
    private final String queue;

    Browses(SqlTransaction tx, QueueTable table, String queue) {
        this.tx = tx;
        this.table = table;
        this.queue = queue;
    }

    BrowseResult browse(BrowseRequest request) throws SQLException {
        return request.ids().isEmpty() ? page(request) : byIds(request.ids());
    }

    private BrowseResult page(BrowseRequest request) throws SQLException {
        Cursor after = Cursor.of(request.after());
        try (PreparedStatement page =
                tx.prepare(PAGE, sql -> table.apply(sql.replace("$after", MessageRow.time("?::bigint"))))) {
            page.setLong(1, after.micros);
            page.setLong(2, after.micros);
            page.setString(3, after.id);
            page.setInt(4, request.limit());
            page.setLong(5, after.micros);
            page.setString(6, after.id);
            page.setInt(7, request.limit());
            page.setInt(8, request.limit());
            return read(page);
        }
    }

    private BrowseResult byIds(List<String> ids) throws SQLException {
        try (PreparedStatement find = tx.prepare(BY_IDS, table)) {
            find.setArray(1, tx.texts(Ids.rows(ids)));
            return read(find);
        }
    }

    private BrowseResult read(PreparedStatement select) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        try (ResultSet rows = SqlTransaction.resultAfter(1, select)) {
            while (rows.next()) {
                now = rows.getLong(1);
                messages.add(message(MessageRow.read(rows, 2, queue), rows.getLong(2), now));
            }
        }
        return BrowseResult.builder()
                .messages(messages)
                .storageMillis(messages.isEmpty() ? tx.nowMillis() : now / MessageRow.MICROS_PER_MILLI)
                .build();
    }

    private static StoredMessage message(MessageRow row, long place, long now) {
        boolean due = row.matureMicros() <= now;
        boolean held = row.isReserved() && !due;
        return row.message()
                .tries(held ? Math.max(0, row.tries() - 1) : row.tries()) // the current delivery is not an earlier one
                .state(
                        held
                                ? StoredMessage.State.RESERVED
                                : due ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED)
                .leaseEndMillis(held ? row.matureMicros() / MessageRow.MICROS_PER_MILLI : 0)
                .cursor(place + "." + row.id())
                .build();
    }

    /** The message before a page. */
    private record Cursor(long micros, String id) {
        static Cursor of(@Nullable String text) {
            if (text == null) {
                return BEGIN;
            }
            int dot = text.indexOf('.');
            try {
                return new Cursor(Long.parseLong(text, 0, dot, 10), text.substring(dot + 1));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is not a cursor of this queue", e);
            }
        }
    }
}
