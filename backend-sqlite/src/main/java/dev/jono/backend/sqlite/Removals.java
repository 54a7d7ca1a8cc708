package dev.jono.backend.sqlite;

import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Removals: removes messages that are not reserved, by id or all of them. */
final class Removals {
    private static final int PURGE_ROWS = 2000;

    private static final String FIND = "SELECT id, claim, lease FROM message WHERE id=?3 AND +queue=?1 AND xid IS NULL"
            + " UNION ALL SELECT id, claim, lease FROM message WHERE queue=?1 AND xid=?2";

    private Removals() {}

    static RemoveResult remove(Transaction tx, QueueView view, RemoveRequest request) throws SQLException {
        long queue = tx.findQueueId(view.queue());
        long now = tx.now(view.clock());
        List<RemoveOutcome> outcomes = new ArrayList<>(request.ids().size());
        for (String id : request.ids()) {
            outcomes.add(remove(tx.connection(), queue, now, id));
        }
        return RemoveResult.builder().outcomes(outcomes).build();
    }

    private static RemoveOutcome remove(SqliteConnection connection, long queue, long now, String id)
            throws SQLException {
        PreparedStatement find = connection.prepare(FIND);
        find.setLong(1, queue);
        find.setString(2, id);
        find.setLong(3, Ids.row(id));
        long row;
        try (ResultSet rows = find.executeQuery()) {
            if (!rows.next()) {
                return RemoveOutcome.ABSENT;
            }
            if (rows.getLong(2) > 0 && rows.getLong(3) > now) {
                return RemoveOutcome.HELD;
            }
            row = rows.getLong(1);
        }
        PreparedStatement delete = connection.prepare(Sql.DELETE);
        delete.setLong(1, row);
        delete.executeUpdate();
        return RemoveOutcome.REMOVED;
    }

    /**
     * Removes the messages that are stored at the time of the call. Each transaction removes a limited number, so other
     * writers run in between.
     */
    static CompletionStage<Long> purge(SharedFile file, QueueView view) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        purge(file, view, new long[] {Long.MAX_VALUE, 0}, result);
        return result;
    }

    /** The state is the last id that was assigned before the purge, and the number of messages removed so far. */
    private static void purge(SharedFile file, QueueView view, long[] state, CompletableFuture<Long> result) {
        file.write(PURGE_ROWS, tx -> purgeSome(tx, view, state[0])).whenComplete((done, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            state[0] = done[0];
            state[1] += done[1];
            if (done[1] < PURGE_ROWS) {
                result.complete(state[1]);
            } else {
                purge(file, view, state, result);
            }
        });
    }

    private static long[] purgeSome(Transaction tx, QueueView view, long lastId) throws SQLException {
        long queue = tx.findQueueId(view.queue());
        long now = tx.now(view.clock());
        SqliteConnection connection = tx.connection();
        long last = lastId;
        if (last == Long.MAX_VALUE) {
            try (ResultSet rows = connection.prepare(Sql.LAST_ID).executeQuery()) {
                last = rows.next() ? rows.getLong(1) : 0;
            }
        }
        PreparedStatement ready = connection.prepare(Sql.PURGE_READY);
        ready.setLong(1, queue);
        ready.setLong(2, last);
        ready.setInt(3, PURGE_ROWS);
        int removed = ready.executeUpdate();
        PreparedStatement expired = connection.prepare(Sql.PURGE_EXPIRED);
        expired.setLong(1, queue);
        expired.setLong(2, now);
        expired.setLong(3, last);
        expired.setInt(4, PURGE_ROWS - removed);
        removed += expired.executeUpdate();
        return new long[] {last, removed};
    }
}
