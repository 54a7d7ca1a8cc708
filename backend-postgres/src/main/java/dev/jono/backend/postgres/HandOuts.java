package dev.jono.backend.postgres;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.KeySettings;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Claims and takes of a queue without keys. Used by one thread, within one transaction. */
final class HandOuts {
    /** If messages are due but locked by another transaction, the next attempt comes after this many milliseconds. */
    private static final long LOCKED_MILLIS = 5;

    private final SqlTransaction tx;
    private final QueueView view;

    HandOuts(SqlTransaction tx, QueueView view) {
        this.tx = tx;
        this.view = view;
    }

    /** A fence that no message has. */
    static long newClaim() {
        return 1 + (ThreadLocalRandom.current().nextLong() >>> 2);
    }

    /** The messages that one statement has handed out. */
    private record Found(List<StoredMessage> messages, boolean more, long nowMillis) {}

    ClaimResult claim(ClaimRequest request) throws SQLException {
        try (PreparedStatement claim = tx.prepare(HandOutSql.CLAIM)) {
            int next = bind(claim, request, request.isolateTries(), request.isolateExpiredTries());
            long fence = newClaim();
            claim.setLong(next, fence);
            claim.setLong(next + 1, request.leaseMillis());
            return result(request, run(claim, fence));
        }
    }

    ClaimResult take(ClaimRequest request) throws SQLException {
        boolean keeps = view.historyMillis() > 0;
        try (PreparedStatement take = tx.prepare(keeps ? HandOutSql.TAKE_TO_HISTORY : HandOutSql.TAKE)) {
            int next = bind(take, request, Integer.MAX_VALUE, Integer.MAX_VALUE);
            if (keeps) {
                take.setLong(next, view.historyMillis());
            }
            return result(request, run(take, Ids.NONE));
        }
    }

    private int bind(PreparedStatement statement, ClaimRequest request, int isolateTries, int isolateExpiredTries)
            throws SQLException {
        statement.setString(1, view.queue());
        statement.setInt(2, request.max());
        statement.setInt(3, request.max());
        statement.setInt(4, isolateTries);
        statement.setInt(5, isolateExpiredTries);
        statement.setInt(6, request.max());
        return 7;
    }

    /** @param fence the claim of the messages; {@link Ids#NONE} if they were removed */
    private Found run(PreparedStatement statement, long fence) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        long candidates = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                now = rows.getLong(1);
                candidates = rows.getLong(2);
                boolean expired = rows.getBoolean(3);
                boolean alone = rows.getBoolean(4);
                MessageRow row = MessageRow.read(rows, 4, view.queue());
                StoredMessage.Builder message = row.message(view.queue()).expired(expired);
                if (fence != Ids.NONE) {
                    message.isolated(alone)
                            .state(StoredMessage.State.RESERVED)
                            .leaseEndMillis(row.leaseMillis())
                            .receipt(Ids.receipt(row.id(), row.xid(), fence));
                }
                messages.add(message.build());
            }
        }
        return new Found(messages, candidates > messages.size(), now);
    }

    private ClaimResult result(ClaimRequest request, Found found) throws SQLException {
        ClaimResult.Builder result =
                ClaimResult.builder().messages(found.messages).storageMillis(found.nowMillis);
        if (found.messages.size() == request.max() || found.more) {
            return result.nextMillis(0).build();
        }
        try (PreparedStatement next = tx.prepare(HandOutSql.NEXT)) {
            next.setString(1, view.queue());
            try (ResultSet row = next.executeQuery()) {
                row.next();
                long now = row.getLong(1);
                if (row.getInt(2) != 0) {
                    throw KeySettings.differ(view.queue(), 0, row.getInt(2));
                }
                long millis = Math.min(millisUntil(row, 3, now), millisUntil(row, 4, now));
                return result.nextMillis(millis).storageMillis(now).build();
            }
        }
    }

    /**
     * Milliseconds until the time in a column; {@link ClaimResult#NONE} if it is null. A message that is due, and was not
     * found, is locked by another transaction.
     */
    static long millisUntil(ResultSet row, int column, long now) throws SQLException {
        long timeMillis = row.getLong(column);
        return row.wasNull() ? ClaimResult.NONE : Math.max(LOCKED_MILLIS, timeMillis - now);
    }
}
