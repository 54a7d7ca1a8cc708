package dev.jono.backend.postgres;

import dev.jono.spi.DeleteResult;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Purges and deletes a queue. Each transaction removes a limited number of rows, so others need not wait for all of them. The
 * name of a deleted queue is removed in the transaction that finds no more rows, while no other can add any.
 */
final class Deletions {
    private static final int ROWS_PER_TRANSACTION = 2000;

    private static final String COUNT = "SELECT (SELECT count(*) FROM jono.message WHERE queue = ? AND state = 0)"
            + " + (SELECT count(*) FROM jono.message WHERE queue = ? AND state = 1)"
            + " + (SELECT count(*) FROM jono.message WHERE queue = ? AND state = 2)";
    private static final List<String> MESSAGES =
            List.of(some("message", "state = 0"), some("message", "state = 1"), some("message", "state = 2"));
    private static final String HISTORY = some("history", "true");
    private static final List<String> REST =
            List.of("DELETE FROM jono.ordering_key WHERE queue = ?", "DELETE FROM jono.promotion WHERE queue = ?");

    /** Removes messages that are not held, up to the id that was the last one before the purge. */
    private static final String PURGE = "DELETE FROM jono.message WHERE id = ANY (ARRAY ("
            + "(SELECT id FROM jono.message WHERE queue = ? AND state = 0 AND id <= ? LIMIT ? FOR UPDATE SKIP LOCKED))"
            + " || ARRAY ((SELECT id FROM jono.message WHERE queue = ? AND state = 1 AND lease <= ? AND id <= ? LIMIT ?"
            + " FOR UPDATE SKIP LOCKED))"
            + " || ARRAY ((SELECT id FROM jono.message WHERE queue = ? AND state = 2 AND id <= ? LIMIT ?"
            + " FOR UPDATE SKIP LOCKED))) RETURNING key";

    private static final String LAST_ID = "SELECT last_value FROM jono.message_id";

    private final PostgresLink link;
    private final QueueView view;

    Deletions(PostgresLink link, QueueView view) {
        this.link = link;
        this.view = view;
    }

    private static String some(String table, String condition) {
        return "DELETE FROM jono." + table + " WHERE id = ANY (ARRAY (SELECT id FROM jono." + table
                + " WHERE queue = ? AND " + condition + " LIMIT ?))";
    }

    static long count(SqlTransaction tx, int queue) throws SQLException {
        try (PreparedStatement count = tx.prepare(COUNT)) {
            for (int state = 1; state <= 3; state++) {
                count.setInt(state, queue);
            }
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Removes the messages that are stored at the time of the call, and that no consumer holds; returns their number. */
    long purge() {
        long last = link.single("purge", view.queue(), false, Deletions::lastId);
        long purged = 0;
        long part;
        do {
            part = link.transaction("purge", view.queue(), tx -> purgeSome(tx, last));
            purged += part;
        } while (part >= ROWS_PER_TRANSACTION);
        return purged;
    }

    private static long lastId(SqlTransaction tx) throws SQLException {
        try (PreparedStatement select = tx.prepare(LAST_ID);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private long purgeSome(SqlTransaction tx, long lastId) throws SQLException {
        Queues.Found queue = Queues.find(tx, view.queue());
        Set<String> keys = new HashSet<>();
        long purged = 0;
        try (PreparedStatement purge = tx.prepare(PURGE)) {
            int next = bind(purge, 1, queue.id(), lastId);
            purge.setInt(next, queue.id());
            purge.setLong(next + 1, queue.nowMillis());
            purge.setLong(next + 2, lastId);
            purge.setInt(next + 3, ROWS_PER_TRANSACTION);
            bind(purge, next + 4, queue.id(), lastId);
            try (ResultSet rows = purge.executeQuery()) {
                while (rows.next()) {
                    purged++;
                    if (rows.getString(1) != null) {
                        keys.add(rows.getString(1));
                    }
                }
            }
        }
        new OrderingKeys(tx, queue).promote(keys);
        return purged;
    }

    private static int bind(PreparedStatement statement, int first, int queue, long lastId) throws SQLException {
        statement.setInt(first, queue);
        statement.setLong(first + 1, lastId);
        statement.setInt(first + 2, ROWS_PER_TRANSACTION);
        return first + 3;
    }

    /**
     * The result of one transaction.
     *
     * @param messages the number of removed messages, or if refused, of present ones
     */
    private record Part(boolean refused, boolean finished, long messages) {}

    DeleteResult delete(boolean withMessages) {
        long removed = 0;
        while (true) {
            Part part = link.transaction("delete", view.queue(), tx -> deletePart(tx, withMessages));
            if (part.refused) {
                return DeleteResult.refused(part.messages);
            }
            removed += part.messages;
            if (part.finished) {
                return DeleteResult.deleted(removed);
            }
        }
    }

    private Part deletePart(SqlTransaction tx, boolean withMessages) throws SQLException {
        Queues.lockAlone(tx, view);
        Queues.Found queue = Queues.find(tx, view.queue());
        if (!queue.exists()) {
            return new Part(false, true, 0);
        }
        long messages = 0;
        if (withMessages) {
            for (String sql : MESSAGES) {
                messages += remove(tx, sql, queue.id(), ROWS_PER_TRANSACTION - messages);
            }
        } else {
            long present = count(tx, queue.id());
            if (present > 0) {
                return new Part(true, false, present);
            }
        }
        long removed = messages + remove(tx, HISTORY, queue.id(), ROWS_PER_TRANSACTION - messages);
        boolean nothingLeft = removed < ROWS_PER_TRANSACTION;
        if (nothingLeft) {
            removeRest(tx, queue);
        }
        return new Part(false, nothingLeft, messages);
    }

    private static void removeRest(SqlTransaction tx, Queues.Found queue) throws SQLException {
        new UniqueKeys(tx, queue).removeAll();
        for (String sql : REST) {
            try (PreparedStatement remove = tx.prepare(sql)) {
                remove.setInt(1, queue.id());
                remove.executeUpdate();
            }
        }
        Queues.remove(tx, queue.id());
    }

    private static long remove(SqlTransaction tx, String sql, int queue, long max) throws SQLException {
        try (PreparedStatement remove = tx.prepare(sql)) {
            remove.setInt(1, queue);
            remove.setLong(2, max);
            return remove.executeUpdate();
        }
    }
}
