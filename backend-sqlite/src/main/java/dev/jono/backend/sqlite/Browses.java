package dev.jono.backend.sqlite;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Browses: reads messages without changing them, on a reader's connection. A cursor is a time and a row id, so it stays
 * valid when its message is gone.
 */
final class Browses {
    private static final String READY = "SELECT " + Sql.COLUMNS
            + " FROM message WHERE queue=? AND claim<0 AND (due, id)>(?, ?) ORDER BY due, id LIMIT ?";
    private static final String HELD = "SELECT " + Sql.COLUMNS
            + " FROM message WHERE queue=? AND claim>0 AND (due, id)>(?, ?) ORDER BY due, id LIMIT ?";
    private static final String BLOCKED = "SELECT " + Sql.COLUMNS
            + " FROM message WHERE queue=? AND claim=0 AND (due, id)>(?, ?) ORDER BY due, id LIMIT ?";
    private static final String LIVE_BY_ID = "SELECT " + Sql.COLUMNS
            + " FROM message WHERE id=?3 AND +queue=?1 AND xid IS NULL UNION ALL SELECT " + Sql.COLUMNS
            + " FROM message WHERE queue=?1 AND xid=?2";

    private static final String HISTORY_COLUMNS = "id, xid, kind, tries, due, done, 0, pushed, headers, payload, NULL";
    private static final String HISTORY = "SELECT " + HISTORY_COLUMNS
            + " FROM history WHERE queue=? AND (done, id)<(?, ?) AND until>? ORDER BY done DESC, id DESC LIMIT ?";
    private static final String HISTORY_BY_ID = "SELECT " + HISTORY_COLUMNS
            + " FROM history WHERE id=?3 AND +queue=?1 AND xid IS NULL AND until>?4 UNION ALL SELECT " + HISTORY_COLUMNS
            + " FROM history WHERE queue=?1 AND xid=?2 AND until>?4";

    private final SqliteConnection connection;
    private final String queue;
    private final long queueId;
    private final long now;

    private Browses(SqliteConnection connection, String queue, long queueId, long now) {
        this.connection = connection;
        this.queue = queue;
        this.queueId = queueId;
        this.now = now;
    }

    static BrowseResult browse(SqliteConnection connection, QueueView view, BrowseRequest request) throws SQLException {
        long now = view.clock().millis();
        Browses browses = new Browses(connection, view.queue(), QueueIds.find(connection, view.queue()), now);
        return BrowseResult.builder()
                .messages(browses.messages(request))
                .storageMillis(now)
                .build();
    }

    private List<StoredMessage> messages(BrowseRequest request) throws SQLException {
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        if (!request.ids().isEmpty()) {
            return byIds(request.ids(), history);
        }
        return history ? history(request) : live(request);
    }

    private List<StoredMessage> byIds(List<String> ids, boolean history) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        PreparedStatement find = connection.prepare(history ? HISTORY_BY_ID : LIVE_BY_ID);
        for (String id : ids) {
            find.setLong(1, queueId);
            find.setString(2, id);
            find.setLong(3, Ids.row(id));
            if (history) {
                find.setLong(4, now);
            }
            for (MessageRow row : rows(find)) {
                messages.add(history ? historyMessage(row) : liveMessage(row));
            }
        }
        return messages;
    }

    private List<StoredMessage> live(BrowseRequest request) throws SQLException {
        Deque<MessageRow> ready = new ArrayDeque<>(live(READY, request));
        List<MessageRow> others = new ArrayList<>(live(HELD, request));
        others.addAll(live(BLOCKED, request));
        others.sort(MessageRow.ORDER);
        Deque<MessageRow> held = new ArrayDeque<>(others);
        List<StoredMessage> merged = new ArrayList<>();
        while (merged.size() < request.limit() && !(ready.isEmpty() && held.isEmpty())) {
            merged.add(liveMessage(MessageRow.takeFirst(ready, held)));
        }
        return merged;
    }

    private List<MessageRow> live(String sql, BrowseRequest request) throws SQLException {
        long[] after = cursor(request.after(), Long.MIN_VALUE);
        PreparedStatement page = connection.prepare(sql);
        page.setLong(1, queueId);
        page.setLong(2, after[0]);
        page.setLong(3, after[1]);
        page.setInt(4, request.limit());
        return rows(page);
    }

    private List<StoredMessage> history(BrowseRequest request) throws SQLException {
        long[] after = cursor(request.after(), Long.MAX_VALUE);
        PreparedStatement page = connection.prepare(HISTORY);
        page.setLong(1, queueId);
        page.setLong(2, after[0]);
        page.setLong(3, after[1]);
        page.setLong(4, now);
        page.setInt(5, request.limit());
        List<StoredMessage> messages = new ArrayList<>();
        for (MessageRow row : rows(page)) {
            messages.add(historyMessage(row));
        }
        return messages;
    }

    private List<MessageRow> rows(PreparedStatement select) throws SQLException {
        List<MessageRow> found = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(MessageRow.read(rows, queue));
            }
        }
        return found;
    }

    private StoredMessage liveMessage(MessageRow row) {
        boolean held = row.isClaimed() && row.leaseMillis() > now;
        StoredMessage.State state = held ? StoredMessage.State.RESERVED : row.stateUnheld(now);
        // The current delivery is not an earlier one.
        return row.message(queue)
                .tries(held ? row.tries() - 1 : row.tries())
                .state(state)
                .leaseEndMillis(held ? row.leaseMillis() : 0)
                .cursor(row.dueMillis() + "." + row.id())
                .build();
    }

    /** A row of the history. Its lease column holds the time at which the message was consumed. */
    private StoredMessage historyMessage(MessageRow row) {
        return row.message(queue)
                .state(StoredMessage.State.PROCESSED)
                .cursor(row.leaseMillis() + "." + row.id())
                .build();
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
