package dev.jono.backend.sqlite;

import dev.jono.spi.DeleteResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Deletes a queue: its messages if the request says so, its history, and at last its name. Each transaction deletes a
 * limited number of rows, so other writers run in between. The name is removed in the transaction that finds no more
 * rows.
 */
final class Deletions {
    private static final int ROWS_PER_TRANSACTION = 2000;

    private static final String COUNT = "SELECT (SELECT count(*) FROM message WHERE queue=?1 AND claim<0)"
            + " + (SELECT count(*) FROM message WHERE queue=?1 AND claim>0)"
            + " + (SELECT count(*) FROM message WHERE queue=?1 AND claim=0)";
    private static final String FREE = remove("message", " AND claim<0");
    private static final String HELD = remove("message", " AND claim>0");
    private static final String BLOCKED = remove("message", " AND claim=0");
    private static final String HISTORY = remove("history", "");

    private final SharedFile file;
    private final QueueView view;
    private final boolean withMessages;
    private final CompletableFuture<DeleteResult> result = new CompletableFuture<>();

    private Deletions(SharedFile file, QueueView view, boolean withMessages) {
        this.file = file;
        this.view = view;
        this.withMessages = withMessages;
    }

    private static String remove(String table, String condition) {
        return "DELETE FROM " + table + " WHERE id IN (SELECT id FROM " + table + " WHERE queue=?" + condition
                + " LIMIT ?)";
    }

    /**
     * The result of one transaction.
     *
     * @param messages the number of removed messages, or if refused, of present ones
     */
    private record Part(boolean refused, boolean finished, long messages) {}

    static CompletionStage<DeleteResult> delete(SharedFile file, QueueView view, boolean withMessages) {
        Deletions deletions = new Deletions(file, view, withMessages);
        deletions.deleteNextPart(0);
        return deletions.result;
    }

    private void deleteNextPart(long removedBefore) {
        file.write(ROWS_PER_TRANSACTION, this::deletePart).whenComplete((part, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (part.refused()) {
                result.complete(DeleteResult.refused(part.messages()));
            } else if (part.finished()) {
                result.complete(DeleteResult.deleted(removedBefore + part.messages()));
            } else {
                deleteNextPart(removedBefore + part.messages());
            }
        });
    }

    private Part deletePart(Transaction tx) throws SQLException {
        long queue = tx.findQueueId(view.queue());
        if (queue == QueueIds.NONE) {
            return new Part(false, true, 0);
        }
        SqliteConnection connection = tx.connection();
        long messages = 0;
        if (withMessages) {
            messages = remove(connection, FREE, queue, ROWS_PER_TRANSACTION);
            messages += remove(connection, HELD, queue, ROWS_PER_TRANSACTION - messages);
            messages += remove(connection, BLOCKED, queue, ROWS_PER_TRANSACTION - messages);
        } else {
            long present = count(connection, queue);
            if (present > 0) {
                return new Part(true, false, present);
            }
        }
        long removed = messages + remove(connection, HISTORY, queue, ROWS_PER_TRANSACTION - messages);
        boolean nothingLeft = removed < ROWS_PER_TRANSACTION;
        if (nothingLeft) {
            UniqueKeys.removeAll(connection, queue);
            QueueIds.remove(connection, queue);
            tx.forgetQueue(view.queue());
        }
        return new Part(false, nothingLeft, messages);
    }

    static boolean hasMessages(SqliteConnection connection, long queue) throws SQLException {
        return count(connection, queue) > 0;
    }

    private static long count(SqliteConnection connection, long queue) throws SQLException {
        PreparedStatement count = connection.prepare(COUNT);
        count.setLong(1, queue);
        try (ResultSet rows = count.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static long remove(SqliteConnection connection, String sql, long queue, long max) throws SQLException {
        PreparedStatement remove = connection.prepare(sql);
        remove.setLong(1, queue);
        remove.setLong(2, max);
        return remove.executeUpdate();
    }
}
