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

/** Claims and takes that need not look at ordering keys. Used by one thread, within one transaction. */
final class HandOuts {
    /** If messages are due but locked by another transaction, the next attempt comes after this many milliseconds. */
    private static final long LOCKED_MILLIS = 5;

    private final SqlTransaction tx;
    private final QueueView view;
    private final QueueLooks looks;

    HandOuts(SqlTransaction tx, QueueView view) {
        this.tx = tx;
        this.view = view;
        this.looks = view.looks();
    }

    /** The messages that one statement has handed out. */
    private record Found(List<StoredMessage> messages, boolean more, long nowMillis) {}

    /**
     * The looks of one statement.
     *
     * @param max how many messages it looks for
     * @param enoughFree how many free ones suffice, so that it does not look for ended leases
     */
    private record Looks(LowWaterMark.Look free, LowWaterMark.Look held, int max, int enoughFree) {}

    /** The looks for a number of messages, which begin now. */
    private Looks begin(int max) {
        boolean expiredInAnyCase = looks.expired().isDue();
        return new Looks(looks.free().begin(), looks.held().begin(), max, expiredInAnyCase ? Integer.MAX_VALUE : max);
    }

    /** @param token the token to store; null for none */
    ClaimResult claim(ClaimRequest request, @Nullable String token) throws SQLException {
        return untilComplete(() -> claimOnce(request, token));
    }

    /** A statement that hands out messages. Null if it found none, but a complete look may find some. */
    @FunctionalInterface
    private interface HandOut {
        @Nullable ClaimResult run() throws SQLException;
    }

    /** Runs a statement again that has changed nothing, so that a caller who does not wait is not told of an empty queue. */
    private static ClaimResult untilComplete(HandOut statement) throws SQLException {
        ClaimResult result = statement.run();
        while (result == null) {
            result = statement.run();
        }
        return result;
    }

    private @Nullable ClaimResult claimOnce(ClaimRequest request, @Nullable String token) throws SQLException {
        Looks begun = begin(request.max());
        return result(request, begun, claim(request, token, begun));
    }

    /**
     * Claims free messages only. For a queue of which one message of a key is held at a time: each free message is the first of its
     * key.
     *
     * @return null if there are none; then nothing was changed
     */
    @Nullable ClaimResult claimFree(ClaimRequest request, @Nullable String token) throws SQLException {
        Looks begun = new Looks(looks.free().begin(), looks.held().begin(), request.max(), 0);
        Found found = claim(request, token, begun);
        return found.messages.isEmpty()
                ? null
                : ClaimResult.builder()
                        .messages(found.messages)
                        .storageMillis(found.nowMillis)
                        .nextMillis(0)
                        .build();
    }

    private Found claim(ClaimRequest request, @Nullable String token, Looks begun) throws SQLException {
        try (PreparedStatement claim = tx.prepare(HandOutSql.CLAIM)) {
            int next = bind(claim, request, begun, request.isolateTries(), request.isolateExpiredTries());
            long fence = Ids.claim(request.token());
            claim.setLong(next, fence);
            claim.setLong(next + 1, request.leaseMillis());
            claim.setString(next + 2, token);
            return run(begun, SqlTransaction.resultAfter(1, claim), fence);
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
            Found found = run(null, claimed.executeQuery(), fence);
            return ClaimResult.builder()
                    .messages(found.messages)
                    .storageMillis(found.nowMillis)
                    .nextMillis(0)
                    .build();
        }
    }

    ClaimResult take(ClaimRequest request) throws SQLException {
        return untilComplete(() -> takeOnce(request));
    }

    private @Nullable ClaimResult takeOnce(ClaimRequest request) throws SQLException {
        boolean keeps = view.historyMillis() > 0;
        try (PreparedStatement take = tx.prepare(keeps ? HandOutSql.TAKE_TO_HISTORY : HandOutSql.TAKE)) {
            Looks begun = begin(request.max());
            int next = bind(take, request, begun, Integer.MAX_VALUE, Integer.MAX_VALUE);
            if (keeps) {
                take.setLong(next, view.historyMillis());
            }
            return result(request, begun, run(begun, SqlTransaction.resultAfter(1, take), Ids.NONE));
        }
    }

    private int bind(
            PreparedStatement statement, ClaimRequest request, Looks begun, int isolateTries, int isolateExpiredTries)
            throws SQLException {
        statement.setString(1, view.queue());
        statement.setInt(2, view.maxPerKey());
        statement.setLong(3, begun.free.fromMillis());
        statement.setInt(4, request.max());
        statement.setInt(5, begun.enoughFree);
        statement.setLong(6, begun.held.fromMillis());
        statement.setInt(7, request.max());
        statement.setInt(8, isolateTries);
        statement.setInt(9, isolateExpiredTries);
        statement.setInt(10, request.max());
        return 11;
    }

    /**
     * Reads what was found.
     *
     * @param begun the looks of the statement; null if it read what was found before
     * @param fence the claim of the messages; {@link Ids#NONE} if they were removed
     */
    private Found run(@Nullable Looks begun, ResultSet found, long fence) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        long candidates = 0;
        boolean first = true;
        try (ResultSet rows = found) {
            while (rows.next()) {
                if (first && begun != null) {
                    end(begun, rows);
                }
                first = false;
                now = rows.getLong(1);
                candidates = rows.getLong(2);
                int was = rows.getInt(8);
                boolean alone = rows.getBoolean(9);
                if (isEmpty(rows)) {
                    break;
                }
                MessageRow row = MessageRow.read(rows, HandOutSql.COLUMNS_BEFORE, view.queue());
                StoredMessage.Builder message = row.message(view.queue()).expired(was == HandOutSql.EXPIRED_LEASE);
                if (fence != Ids.NONE) {
                    message.isolated(alone)
                            .firstDelivery(was == HandOutSql.NEW && row.tries() == 0)
                            .state(StoredMessage.State.RESERVED)
                            .leaseEndMillis(row.leaseMillis())
                            .receipt(Ids.receipt(row.id(), row.xid(), fence));
                }
                messages.add(message.build());
            }
        }
        return new Found(messages, candidates > messages.size(), now);
    }

    /** Whether there is no message in this row. */
    private static boolean isEmpty(ResultSet row) throws SQLException {
        var unused = row.getLong(HandOutSql.COLUMNS_BEFORE + 1);
        return row.wasNull();
    }

    /** Tells the looks what they found. */
    private void end(Looks begun, ResultSet row) throws SQLException {
        long now = row.getLong(1);
        long free = row.getLong(3);
        looks.free().end(begun.free, millis(row, 4, now), now, free >= begun.max, row.getLong(5));
        if (free < begun.enoughFree) {
            long expired = row.getLong(2) - free;
            looks.held().end(begun.held, millis(row, 7, now), now, expired >= begun.max, row.getLong(6));
        }
    }

    /** The time in a column; the present if it is null. */
    private static long millis(ResultSet row, int column, long now) throws SQLException {
        long timeMillis = row.getLong(column);
        return row.wasNull() ? now : timeMillis;
    }

    private @Nullable ClaimResult result(ClaimRequest request, Looks begun, Found found) throws SQLException {
        ClaimResult.Builder result =
                ClaimResult.builder().messages(found.messages).storageMillis(found.nowMillis);
        if (found.messages.size() == request.max() || found.more) {
            return result.nextMillis(0).build();
        }
        long wait = millisUntilComplete(begun);
        if (wait == 0 && found.messages.isEmpty()) {
            return null;
        }
        if (wait == 0) {
            return result.nextMillis(0).build(); // a complete look may find more
        }
        try (PreparedStatement next = tx.prepare(HandOutSql.NEXT)) {
            next.setLong(1, looks.free().fromMillis());
            next.setLong(2, looks.held().fromMillis());
            next.setString(3, view.queue());
            try (ResultSet row = SqlTransaction.resultAfter(1, next)) {
                row.next();
                long now = row.getLong(1);
                if (row.getInt(2) != 0) {
                    throw KeySettings.differ(view.queue(), 0, row.getInt(2));
                }
                long millis = Math.min(millisUntil(row, 3, now), millisUntil(row, 4, now));
                return result.nextMillis(Math.min(millis, wait))
                        .storageMillis(now)
                        .build();
            }
        }
    }

    /** When a complete look can find what these looks may have missed; {@link ClaimResult#NONE} if they were complete. */
    private long millisUntilComplete(Looks begun) {
        long free = begun.free.complete() ? ClaimResult.NONE : looks.free().millisUntilComplete();
        long held = begun.held.complete() ? ClaimResult.NONE : looks.held().millisUntilComplete();
        return Math.min(free, held);
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
