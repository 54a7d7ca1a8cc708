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
import org.jspecify.annotations.Nullable;

/** Claims and takes of a queue without keys. Used by one thread, within one transaction. */
final class HandOuts {
    /** If messages are due but locked by another transaction, the next attempt comes after this many milliseconds. */
    private static final long LOCKED_MILLIS = 5;

    private final SqlTransaction tx;
    private final QueueView view;
    private final boolean lookForExpired;

    /** @param lookForExpired whether to look for ended leases also if enough other messages are due */
    HandOuts(SqlTransaction tx, QueueView view, boolean lookForExpired) {
        this.tx = tx;
        this.view = view;
        this.lookForExpired = lookForExpired;
    }

    /** The messages that one statement has handed out. */
    private record Found(List<StoredMessage> messages, boolean more, long nowMillis) {}

    /** @param token the token to store; null for none */
    ClaimResult claim(ClaimRequest request, @Nullable String token) throws SQLException {
        try (PreparedStatement claim = tx.prepare(HandOutSql.CLAIM)) {
            int next = bind(claim, request, request.isolateTries(), request.isolateExpiredTries());
            long fence = Ids.claim(request.token());
            claim.setLong(next, fence);
            claim.setLong(next + 1, request.leaseMillis());
            claim.setString(next + 2, token);
            return result(request, run(SqlTransaction.resultAfter(1, claim), fence));
        }
    }

    /**
     * The messages of a claim whose answer was lost. Which of them were claimed before is not known any more, so a message that
     * comes alone and could have been isolated counts as isolated.
     */
    ClaimResult claimed(ClaimRequest request) throws SQLException {
        try (PreparedStatement claimed = tx.prepare(HandOutSql.CLAIMED)) {
            long fence = Ids.claim(request.token());
            claimed.setInt(1, request.isolateExpiredTries());
            claimed.setString(2, view.queue());
            claimed.setLong(3, fence);
            Found found = run(claimed.executeQuery(), fence);
            return ClaimResult.builder()
                    .messages(found.messages)
                    .storageMillis(found.nowMillis)
                    .nextMillis(0)
                    .build();
        }
    }

    ClaimResult take(ClaimRequest request) throws SQLException {
        boolean keeps = view.historyMillis() > 0;
        try (PreparedStatement take = tx.prepare(keeps ? HandOutSql.TAKE_TO_HISTORY : HandOutSql.TAKE)) {
            int next = bind(take, request, Integer.MAX_VALUE, Integer.MAX_VALUE);
            if (keeps) {
                take.setLong(next, view.historyMillis());
            }
            return result(request, run(SqlTransaction.resultAfter(1, take), Ids.NONE));
        }
    }

    private int bind(PreparedStatement statement, ClaimRequest request, int isolateTries, int isolateExpiredTries)
            throws SQLException {
        statement.setString(1, view.queue());
        statement.setInt(2, request.max());
        statement.setBoolean(3, lookForExpired);
        statement.setInt(4, request.max());
        statement.setInt(5, request.max());
        statement.setInt(6, isolateTries);
        statement.setInt(7, isolateExpiredTries);
        statement.setInt(8, request.max());
        return 9;
    }

    /** @param fence the claim of the messages; {@link Ids#NONE} if they were removed */
    private Found run(ResultSet found, long fence) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        long candidates = 0;
        try (ResultSet rows = found) {
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
            try (ResultSet row = SqlTransaction.resultAfter(1, next)) {
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
