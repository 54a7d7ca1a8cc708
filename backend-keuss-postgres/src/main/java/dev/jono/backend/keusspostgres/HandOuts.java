package dev.jono.backend.keusspostgres;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Claims and takes. Used by one thread, within one transaction. */
final class HandOuts {
    /** If messages are due but locked by another transaction, the next attempt comes after this many milliseconds. */
    private static final long LOCKED_MILLIS = 5;

    private final SqlTransaction tx;
    private final QueueTable table;
    private final String queue;

    HandOuts(SqlTransaction tx, QueueTable table, String queue) {
        this.tx = tx;
        this.table = table;
        this.queue = queue;
    }

    /** The messages that one statement has handed out. */
    private record Found(List<StoredMessage> messages, boolean more, long nowMicros) {}

    ClaimResult claim(ClaimRequest request) throws SQLException {
        try (PreparedStatement claim = tx.prepare(HandOutSql.CLAIM, table)) {
            int next = bind(claim, 2, request.max(), request.isolateTries(), request.isolateExpiredTries());
            claim.setLong(next, request.leaseMillis());
            return result(request, run(claim, true));
        }
    }

    ClaimResult take(ClaimRequest request) throws SQLException {
        try (PreparedStatement take = tx.prepare(table.prepared() ? HandOutSql.TAKE : HandOutSql.TAKE_PLAIN, table)) {
            bind(take, table.prepared() ? 2 : 1, request.max(), Integer.MAX_VALUE, Integer.MAX_VALUE);
            return result(request, run(take, false));
        }
    }

    /** @param kinds how many kinds of messages the statement looks for: free, expired */
    private static int bind(PreparedStatement statement, int kinds, int max, int isolateTries, int isolateExpiredTries)
            throws SQLException {
        for (int kind = 1; kind <= kinds; kind++) {
            statement.setInt(kind, max);
        }
        statement.setInt(kinds + 1, isolateTries);
        statement.setInt(kinds + 2, isolateExpiredTries);
        statement.setInt(kinds + 3, max);
        return kinds + 4;
    }

    private Found run(PreparedStatement statement, boolean leases) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        long candidates = 0;
        try (ResultSet rows = SqlTransaction.resultAfter(1, statement)) {
            while (rows.next()) {
                now = rows.getLong(1);
                candidates = rows.getLong(2);
                boolean alone = rows.getBoolean(4);
                MessageRow row = MessageRow.read(rows, 4, queue);
                StoredMessage.Builder message = row.message().expired(rows.getBoolean(3));
                if (leases) {
                    message.tries(row.tries() - 1) // the current delivery is not an earlier one
                            .isolated(alone)
                            .state(StoredMessage.State.RESERVED)
                            .leaseEndMillis(row.matureMicros() / MessageRow.MICROS_PER_MILLI)
                            .receipt(new Ids.Held(row.id(), row.reservedMicros(), row.tries()).receipt(row.shownId()));
                }
                messages.add(message.build());
            }
        }
        return new Found(messages, candidates > messages.size(), now);
    }

    private ClaimResult result(ClaimRequest request, Found found) throws SQLException {
        ClaimResult.Builder result = ClaimResult.builder()
                .messages(found.messages)
                .storageMillis(found.nowMicros / MessageRow.MICROS_PER_MILLI);
        if (found.messages.size() == request.max() || found.more) {
            return result.nextMillis(0).build();
        }
        try (PreparedStatement next = tx.prepare(HandOutSql.NEXT, table);
                ResultSet row = next.executeQuery()) {
            row.next();
            long now = row.getLong(1);
            return result.nextMillis(millisUntil(row, 2, now, LOCKED_MILLIS))
                    .storageMillis(now / MessageRow.MICROS_PER_MILLI)
                    .build();
        }
    }

    /**
     * Milliseconds until the time in a column, rounded up; {@link ClaimResult#NONE} if it is null.
     *
     * @param least the result for a time that has passed
     */
    static long millisUntil(ResultSet row, int column, long nowMicros, long least) throws SQLException {
        long micros = row.getLong(column);
        if (row.wasNull()) {
            return ClaimResult.NONE;
        }
        return Math.max(least, -Math.floorDiv(nowMicros - micros, (long) MessageRow.MICROS_PER_MILLI));
    }
}
