package dev.jono.backend.keusspostgres;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Counts the messages of a queue, with one statement. A message whose lease has ended is ready. */
final class Counts {
    private static final String READY = "m.mature <= now";
    private static final String FREE = "m.mature > now AND m.reserved IS NULL";

    private static final String COUNTS = "SELECT " + MessageRow.micros("max(now)") + ", count(*) FILTER (WHERE " + READY
            + "), count(*) FILTER (WHERE " + FREE
            + "), count(*) FILTER (WHERE m.mature > now AND m.reserved IS NOT NULL), "
            + MessageRow.micros("min(" + MessageRow.DUE + ") FILTER (WHERE " + READY + ")") + ", "
            + MessageRow.micros("min(m.mature) FILTER (WHERE " + FREE + ")")
            + " FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock LEFT JOIN $table m ON true";

    private Counts() {}

    static CountsResult counts(SqlTransaction tx, QueueTable table) throws SQLException {
        try (PreparedStatement counts = tx.prepare(COUNTS, table);
                ResultSet row = counts.executeQuery()) {
            row.next();
            long now = row.getLong(1);
            long ready = row.getLong(2);
            CountsResult.Builder result = CountsResult.builder()
                    .storageMillis(now / MessageRow.MICROS_PER_MILLI)
                    .ready(ready)
                    .scheduled(row.getLong(3))
                    .reserved(row.getLong(4));
            if (ready > 0) {
                return result.nextMillis(0)
                        .oldestReadyMillis(row.getLong(5) / MessageRow.MICROS_PER_MILLI)
                        .build();
            }
            return result.nextMillis(HandOuts.millisUntil(row, 6, now, 0)).build();
        }
    }

    /** The counts of a queue without a table. */
    static CountsResult none(SqlTransaction tx) throws SQLException {
        return CountsResult.builder()
                .storageMillis(tx.nowMillis())
                .nextMillis(ClaimResult.NONE)
                .build();
    }
}
