package dev.jono.backend.sqlite;

import dev.jono.EditOutcome;
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

    private Removals() {}

    static RemoveResult remove(Transaction tx, QueueView view, RemoveRequest request) throws SQLException {
        List<RemoveOutcome> outcomes = new ArrayList<>(request.ids().size());
        IdleMessages idle = new IdleMessages(tx, view);
        PreparedStatement delete = tx.connection().prepare(Sql.DELETE);
        for (String id : request.ids()) {
            EditOutcome outcome = idle.change(id, row -> {
                delete.setLong(1, row);
                delete.executeUpdate();
            });
            outcomes.add(
                    switch (outcome) {
                        case DONE -> RemoveOutcome.REMOVED;
                        case HELD -> RemoveOutcome.HELD;
                        case ABSENT -> RemoveOutcome.ABSENT;
                    });
        }
        idle.promote();
        return RemoveResult.builder().outcomes(outcomes).build();
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
        PreparedStatement blocked = connection.prepare(Sql.PURGE_BLOCKED);
        blocked.setLong(1, queue);
        blocked.setLong(2, last);
        blocked.setInt(3, PURGE_ROWS - removed);
        removed += blocked.executeUpdate();
        KeyedRows keyed = KeyedRows.of(tx, view.queue(), now);
        if (keyed != null) {
            keyed.promoteAll();
        }
        return new long[] {last, removed};
    }
}
