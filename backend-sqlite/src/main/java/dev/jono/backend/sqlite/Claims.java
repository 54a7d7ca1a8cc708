package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Claims: leases due messages and returns them with receipts. */
final class Claims {
    private Claims() {}

    static ClaimResult claim(Transaction tx, QueueView view, ClaimRequest request) throws SQLException {
        DueMessages due = new DueMessages(tx, view, request.max());
        KeyedRows keyed = KeyedRows.of(tx, view.queue(), due.now());
        if (keyed != null) {
            KeyedClaim.choose(keyed, due, request);
        }
        boolean isolated = isolate(due, request);
        // Of the same size in a row as UNCLAIMED; see there.
        long claim = 1L << 61 | ThreadLocalRandom.current().nextLong() >>> 3;
        long leaseEndMillis = due.now() + request.leaseMillis();
        String claimRun = due.rows().stream().anyMatch(MessageRow::isBlocked) ? Sql.CLAIM_BLOCKED_RUN : Sql.CLAIM_RUN;
        IdRuns runs = due.runs();
        while (runs.next()) {
            PreparedStatement update = tx.connection().prepare(claimRun);
            update.setLong(1, claim);
            update.setLong(2, leaseEndMillis);
            update.setLong(3, runs.first());
            update.setLong(4, runs.last());
            update.executeUpdate();
        }
        List<StoredMessage> messages = new ArrayList<>(due.rows().size());
        for (MessageRow row : due.rows()) {
            messages.add(row.message(view.queue())
                    .expired(row.isClaimed())
                    .isolated(isolated)
                    .firstDelivery(row.isNew())
                    .state(StoredMessage.State.RESERVED)
                    .leaseEndMillis(leaseEndMillis)
                    .receipt(Ids.receipt(row.id(), row.xid(), claim))
                    .build());
        }
        return due.result(messages);
    }

    /**
     * Truncates the messages so that one that needs isolation is alone; returns whether only such a message is left.
     */
    private static boolean isolate(DueMessages due, ClaimRequest request) {
        List<MessageRow> rows = due.rows();
        for (int i = 0; i < rows.size(); i++) {
            if (needsIsolation(rows.get(i), request)) {
                due.truncate(Math.max(i, 1));
                return i == 0;
            }
        }
        return false;
    }

    static boolean needsIsolation(MessageRow row, ClaimRequest request) {
        return row.tries() >= request.isolateTries()
                || (row.isClaimed() && row.tries() >= request.isolateExpiredTries());
    }
}
