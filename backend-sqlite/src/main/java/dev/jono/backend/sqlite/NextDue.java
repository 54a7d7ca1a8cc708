package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Computes how long it takes until a queue has a message that can be claimed. */
final class NextDue {
    private NextDue() {}

    static long millisUntilNext(SqliteConnection connection, QueueIds.Found queue, long now) throws SQLException {
        PreparedStatement next = connection.prepare(queue.maxPerKey() == 1 ? Sql.NEXT_KEYED : Sql.NEXT);
        next.setLong(1, queue.id());
        try (ResultSet rows = next.executeQuery()) {
            rows.next();
            return Math.min(millisUntil(rows, 1, now), millisUntil(rows, 2, now));
        }
    }

    /** Milliseconds until the time in a column; {@link ClaimResult#NONE} if it is null. */
    static long millisUntil(ResultSet rows, int column, long now) throws SQLException {
        long timeMillis = rows.getLong(column);
        return rows.wasNull() ? ClaimResult.NONE : Math.max(0, timeMillis - now);
    }
}
