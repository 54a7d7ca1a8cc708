package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The due messages of a queue for one take or claim, in the order of the queue. Read and used within one transaction,
 * on the writer's thread.
 */
final class DueMessages {
    /** The payload, in bytes, after which a call returns no further message. */
    private static final long MAX_BYTES = 16L << 20;

    private final SqliteConnection connection;
    private final QueueView view;
    private final QueueIds.Found queue;
    private final long now;
    private final int max;
    private final List<MessageRow> rows;

    /** Whether the queue may have due messages beyond {@link #rows}. */
    private boolean moreDue;

    /**
     * Reads due messages.
     *
     * @param max the largest number of messages
     */
    DueMessages(Transaction tx, QueueView view, int max) throws SQLException {
        this.connection = tx.connection();
        this.view = view;
        this.queue = tx.findQueue(view.queue());
        this.now = tx.now(view.clock());
        this.max = max;
        this.rows = queue.id() == QueueIds.NONE ? new ArrayList<>() : read();
    }

    /** Replaces the messages by those that are due now, after the others were blocked. */
    void readAgain() throws SQLException {
        rows.clear();
        rows.addAll(read());
    }

    private List<MessageRow> read() throws SQLException {
        List<MessageRow> expired = select(queue.maxPerKey() == 1 ? Sql.EXPIRED_KEYED : Sql.EXPIRED);
        List<MessageRow> ready = select(Sql.READY);
        if (expired.isEmpty()) {
            return ready;
        }
        expired.sort(MessageRow.ORDER);
        Deque<MessageRow> nextExpired = new ArrayDeque<>(expired);
        Deque<MessageRow> nextReady = new ArrayDeque<>(ready);
        List<MessageRow> merged = new ArrayList<>();
        while (merged.size() < max && !(nextExpired.isEmpty() && nextReady.isEmpty())) {
            merged.add(MessageRow.takeFirst(nextReady, nextExpired));
        }
        moreDue |= !(nextExpired.isEmpty() && nextReady.isEmpty());
        return merged;
    }

    private List<MessageRow> select(String sql) throws SQLException {
        PreparedStatement select = connection.prepare(sql);
        select.setLong(1, queue.id());
        select.setLong(2, now);
        select.setInt(3, max);
        List<MessageRow> found = new ArrayList<>();
        long bytes = 0;
        try (ResultSet results = select.executeQuery()) {
            while (results.next()) {
                MessageRow row = MessageRow.read(results, view.queue());
                found.add(row);
                bytes += row.payload().size();
                if (bytes > MAX_BYTES) {
                    moreDue = true;
                    break;
                }
            }
        }
        return found;
    }

    List<MessageRow> rows() {
        return rows;
    }

    /** Replaces the messages by those that a keyed queue allows. */
    void replace(List<MessageRow> allowed, boolean more) {
        rows.clear();
        rows.addAll(allowed);
        moreDue |= more;
    }

    /** The storage time at which the messages are due. */
    long now() {
        return now;
    }

    /** Keeps only the first messages. */
    void truncate(int size) {
        moreDue |= size < rows.size();
        rows.subList(size, rows.size()).clear();
    }

    /** The row ids of the messages. */
    IdRuns runs() {
        return new IdRuns(rows.stream().mapToLong(MessageRow::id).toArray());
    }

    /** The result of the call that returns these messages. */
    ClaimResult result(List<StoredMessage> messages) throws SQLException {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(messages.size() < max ? nextMillis() : 0)
                .storageMillis(now)
                .build();
    }

    private long nextMillis() throws SQLException {
        if (moreDue) {
            return 0;
        }
        return queue.id() == QueueIds.NONE ? ClaimResult.NONE : NextDue.millisUntilNext(connection, queue, now);
    }
}
