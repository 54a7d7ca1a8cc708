package dev.jono.backend.postgres;

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
 * Reads messages without changing them. A cursor is a time and a row id, so it stays valid when its message is gone. Used by
 * one thread, for one call.
 */
final class Browses {
    private static final String LIVE = SqlTransaction.BY_INDEX + "SELECT " + MessageRow.COLUMNS + " FROM ((" + page(0)
            + ") UNION ALL (" + page(1) + ") UNION ALL (" + page(2) + ")) AS m ORDER BY m.due, m.id LIMIT ?";
    private static final String LIVE_BY_IDS = SqlTransaction.BY_INDEX + "SELECT " + MessageRow.COLUMNS
            + " FROM jono.message m WHERE m.id = ANY (" + IdleMessages.BY_IDS + ")";

    /** The lease of a consumed message is the time at which it was consumed. */
    private static final String HISTORY_COLUMNS =
            "h.id, h.xid, h.kind, h.tries, h.due, h.done, 0, h.pushed, h.headers, h.payload, NULL";

    private static final String HISTORY =
            SqlTransaction.BY_INDEX + "SELECT " + HISTORY_COLUMNS + " FROM jono.history h WHERE h.queue = ?"
                    + " AND (h.done, h.id) < (?, ?) AND h.until > ? ORDER BY h.done DESC, h.id DESC LIMIT ?";
    private static final String HISTORY_BY_IDS =
            SqlTransaction.BY_INDEX + "SELECT " + HISTORY_COLUMNS + " FROM jono.history h WHERE h.queue = ?"
                    + " AND h.until > ? AND (h.id = ANY (?::bigint[]) AND h.xid IS NULL OR h.xid = ANY (?::text[]))";

    private final SqlTransaction tx;
    private final String queueName;
    private final Queues.Found queue;

    private Browses(SqlTransaction tx, String queueName, Queues.Found queue) {
        this.tx = tx;
        this.queueName = queueName;
        this.queue = queue;
    }

    private static String page(int state) {
        return "SELECT * FROM jono.message WHERE queue = ? AND state = " + state
                + " AND (due, id) > (?, ?) ORDER BY due, id LIMIT ?";
    }

    static BrowseResult browse(SqlTransaction tx, QueueView view, BrowseRequest request) throws SQLException {
        Queues.Found queue = Queues.find(tx, view.queue());
        Browses browses = new Browses(tx, view.queue(), queue);
        return BrowseResult.builder()
                .messages(browses.messages(request))
                .storageMillis(queue.nowMillis())
                .build();
    }

    private List<StoredMessage> messages(BrowseRequest request) throws SQLException {
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        if (!request.ids().isEmpty()) {
            return history ? historyByIds(request.ids()) : liveByIds(request.ids());
        }
        return history ? history(request) : live(request);
    }

    private List<StoredMessage> live(BrowseRequest request) throws SQLException {
        long[] after = cursor(request.after(), Long.MIN_VALUE);
        try (PreparedStatement page = tx.prepare(LIVE)) {
            int next = 1;
            for (int state = 0; state <= 2; state++) {
                page.setInt(next, queue.id());
                page.setLong(next + 1, after[0]);
                page.setLong(next + 2, after[1]);
                page.setInt(next + 3, request.limit());
                next += 4;
            }
            page.setInt(next, request.limit());
            return liveMessages(page);
        }
    }

    private List<StoredMessage> liveByIds(List<String> ids) throws SQLException {
        try (PreparedStatement find = tx.prepare(LIVE_BY_IDS)) {
            IdleMessages.bindIds(find, 1, tx, queue.id(), ids);
            return liveMessages(find);
        }
    }

    private List<StoredMessage> history(BrowseRequest request) throws SQLException {
        long[] after = cursor(request.after(), Long.MAX_VALUE);
        try (PreparedStatement page = tx.prepare(HISTORY)) {
            page.setInt(1, queue.id());
            page.setLong(2, after[0]);
            page.setLong(3, after[1]);
            page.setLong(4, queue.nowMillis());
            page.setInt(5, request.limit());
            return historyMessages(page);
        }
    }

    private List<StoredMessage> historyByIds(List<String> ids) throws SQLException {
        try (PreparedStatement find = tx.prepare(HISTORY_BY_IDS)) {
            find.setInt(1, queue.id());
            find.setLong(2, queue.nowMillis());
            find.setArray(3, tx.longs(ids.stream().map(Ids::row).toList()));
            find.setArray(4, tx.texts(ids.stream().map(Ids::text).toList()));
            return historyMessages(find);
        }
    }

    private List<StoredMessage> liveMessages(PreparedStatement select) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        for (MessageRow row : rows(select)) {
            boolean held = row.isHeld(queue.nowMillis());
            // The current delivery is not an earlier one.
            messages.add(row.message(queueName)
                    .tries(held ? row.tries() - 1 : row.tries())
                    .state(row.shownState(queue.nowMillis()))
                    .leaseEndMillis(held ? row.leaseMillis() : 0)
                    .cursor(row.dueMillis() + "." + row.id())
                    .build());
        }
        return messages;
    }

    private List<StoredMessage> historyMessages(PreparedStatement select) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        for (MessageRow row : rows(select)) {
            messages.add(row.message(queueName)
                    .state(StoredMessage.State.PROCESSED)
                    .cursor(row.leaseMillis() + "." + row.id())
                    .build());
        }
        return messages;
    }

    private List<MessageRow> rows(PreparedStatement select) throws SQLException {
        List<MessageRow> found = new ArrayList<>();
        try (ResultSet rows = SqlTransaction.resultAfter(1, select)) {
            while (rows.next()) {
                found.add(MessageRow.read(rows, queueName));
            }
        }
        return found;
    }

    private static long[] cursor(@Nullable String after, long defaultValue) {
        if (after == null) {
            return new long[] {defaultValue, defaultValue};
        }
        int dot = after.indexOf('.');
        try {
            return new long[] {Long.parseLong(after, 0, dot, 10), Long.parseLong(after, dot + 1, after.length(), 10)};
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + after + "' is not a cursor of this queue", e);
        }
    }
}
