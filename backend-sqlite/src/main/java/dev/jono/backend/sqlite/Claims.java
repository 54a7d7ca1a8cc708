package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Handing messages out: take removes them, claim leases them. */
final class Claims {
    /** The most payload that one call returns, however many messages it asks for. */
    private static final long MAX_BYTES = 16L << 20;

    private final QueueView view;
    private final ClaimRequest request;
    private final SqliteConnection connection;
    private final long queue;
    private final long now;
    /** Whether something that could be claimed was left. */
    private boolean left;

    private Claims(Transaction tx, QueueView view, ClaimRequest request) throws SQLException {
        this.view = view;
        this.request = request;
        this.connection = tx.connection();
        this.queue = tx.findQueueId(view.queue());
        this.now = tx.now(view.clock());
    }

    static ClaimResult take(Transaction tx, QueueView view, ClaimRequest request) throws SQLException {
        return new Claims(tx, view, request).take();
    }

    static ClaimResult claim(Transaction tx, QueueView view, ClaimRequest request) throws SQLException {
        return new Claims(tx, view, request).claim();
    }

    private ClaimResult take() throws SQLException {
        List<MessageRow> rows = dueRows();
        long[] ids = ids(rows);
        IdRuns runs = new IdRuns(ids);
        while (runs.next()) {
            if (view.historyMillis() > 0) {
                PreparedStatement keep = connection.prepare(Sql.TAKE_TO_HISTORY);
                keep.setLong(1, now);
                keep.setLong(2, now + view.historyMillis());
                keep.setLong(3, runs.first());
                keep.setLong(4, runs.last());
                keep.executeUpdate();
            }
            PreparedStatement take = connection.prepare(Sql.TAKE_RUN);
            take.setLong(1, runs.first());
            take.setLong(2, runs.last());
            take.executeUpdate();
        }
        List<StoredMessage> messages = new ArrayList<>(rows.size());
        for (MessageRow row : rows) {
            messages.add(row.message(view.queue()).expired(row.isClaimed()).build());
        }
        return result(messages);
    }

    private ClaimResult claim() throws SQLException {
        List<MessageRow> rows = dueRows();
        boolean isolated = isolate(rows);
        // As long as UNCLAIMED; see there.
        long claim = 1L << 61 | ThreadLocalRandom.current().nextLong() >>> 3;
        long lease = now + request.leaseMillis();
        IdRuns runs = new IdRuns(ids(rows));
        while (runs.next()) {
            PreparedStatement update = connection.prepare(Sql.CLAIM_RUN);
            update.setLong(1, claim);
            update.setLong(2, lease);
            update.setLong(3, runs.first());
            update.setLong(4, runs.last());
            update.executeUpdate();
        }
        List<StoredMessage> messages = new ArrayList<>(rows.size());
        for (MessageRow row : rows) {
            messages.add(row.message(view.queue())
                    .expired(row.isClaimed())
                    .isolated(isolated)
                    .state(StoredMessage.State.RESERVED)
                    .leaseEndMillis(lease)
                    .receipt(Ids.receipt(row.id(), row.xid(), claim))
                    .build());
        }
        return result(messages);
    }

    /** Shortens the list so that what is to be handed out alone is alone; true when it holds only such a one. */
    private boolean isolate(List<MessageRow> rows) {
        for (int i = 0; i < rows.size(); i++) {
            MessageRow row = rows.get(i);
            if (row.tries() >= request.isolateTries()
                    || (row.isClaimed() && row.tries() >= request.isolateExpiredTries())) {
                int keep = Math.max(i, 1);
                left |= keep < rows.size();
                rows.subList(keep, rows.size()).clear();
                return i == 0;
            }
        }
        return false;
    }

    /** What can be handed out, in order. */
    private List<MessageRow> dueRows() throws SQLException {
        if (queue == QueueIds.NONE) {
            return new ArrayList<>();
        }
        List<MessageRow> expired = select(Sql.EXPIRED);
        List<MessageRow> ready = select(Sql.READY);
        if (expired.isEmpty()) {
            return ready;
        }
        expired.sort(MessageRow.ORDER);
        Deque<MessageRow> returned = new ArrayDeque<>(expired);
        Deque<MessageRow> waiting = new ArrayDeque<>(ready);
        List<MessageRow> merged = new ArrayList<>();
        while (merged.size() < request.max() && !(returned.isEmpty() && waiting.isEmpty())) {
            merged.add(MessageRow.takeFirst(waiting, returned));
        }
        left |= !(returned.isEmpty() && waiting.isEmpty());
        return merged;
    }

    private List<MessageRow> select(String sql) throws SQLException {
        PreparedStatement select = connection.prepare(sql);
        select.setLong(1, queue);
        select.setLong(2, now);
        select.setInt(3, request.max());
        List<MessageRow> found = new ArrayList<>();
        long bytes = 0;
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                MessageRow row = MessageRow.read(rows, view.queue());
                found.add(row);
                bytes += row.payload().size();
                if (bytes > MAX_BYTES) {
                    left = true;
                    break;
                }
            }
        }
        return found;
    }

    private static long[] ids(List<MessageRow> rows) {
        long[] ids = new long[rows.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = rows.get(i).id();
        }
        return ids;
    }

    private ClaimResult result(List<StoredMessage> messages) throws SQLException {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(messages.size() < request.max() ? nextMillis() : 0)
                .storageMillis(now)
                .build();
    }

    private long nextMillis() throws SQLException {
        if (left) {
            return 0;
        }
        return queue == QueueIds.NONE ? ClaimResult.NONE : NextDue.millisUntilNext(connection, queue, now);
    }
}
