package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How long until a queue has something to hand out. */
final class NextDue {
    private NextDue() {}

    static long millisUntilNext(SqliteConnection connection, long queue, long now) throws SQLException {
        PreparedStatement next = connection.prepare(Sql.NEXT);
        next.setLong(1, queue);
        try (ResultSet rows = next.executeQuery()) {
            rows.next();
            return Math.min(millisUntil(rows, 1, now), millisUntil(rows, 2, now));
        }
    }

    /** From now until the time in a column, which may be null. */
    static long millisUntil(ResultSet rows, int column, long now) throws SQLException {
        long at = rows.getLong(column);
        return rows.wasNull() ? ClaimResult.NONE : Math.max(0, at - now);
    }
}
