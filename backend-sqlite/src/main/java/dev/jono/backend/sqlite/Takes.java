package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Takes: removes due messages and returns them. */
final class Takes {
    private Takes() {}

    static ClaimResult take(Transaction tx, QueueView view, ClaimRequest request) throws SQLException {
        DueMessages due = new DueMessages(tx, view, request.max());
        SqliteConnection connection = tx.connection();
        IdRuns runs = due.runs();
        while (runs.next()) {
            if (view.historyMillis() > 0) {
                copyToHistory(connection, runs, due.now(), due.now() + view.historyMillis());
            }
            PreparedStatement take = connection.prepare(Sql.TAKE_RUN);
            take.setLong(1, runs.first());
            take.setLong(2, runs.last());
            take.executeUpdate();
        }
        KeyedRows keyed = KeyedRows.of(tx, view.queue(), due.now());
        if (keyed != null) {
            keyed.allLeft(due.rows());
        }
        List<StoredMessage> messages = new ArrayList<>(due.rows().size());
        for (MessageRow row : due.rows()) {
            messages.add(row.message(view.queue()).expired(row.isClaimed()).build());
        }
        return due.result(messages);
    }

    private static void copyToHistory(SqliteConnection connection, IdRuns run, long nowMillis, long untilMillis)
            throws SQLException {
        PreparedStatement copy = connection.prepare(Sql.TAKE_TO_HISTORY);
        copy.setLong(1, nowMillis);
        copy.setLong(2, untilMillis);
        copy.setLong(3, run.first());
        copy.setLong(4, run.last());
        copy.executeUpdate();
    }
}
