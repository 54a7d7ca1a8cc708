package dev.jono.backend.sqlite;

import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settlements: acks, releases and extends reservations. Each takes effect only while the row still has the claim of the
 * receipt.
 */
final class Settlements {
    /** From this many receipts on, acks use one statement for a run of ids. If a receipt is stale, all run again. */
    private static final int MIN_RUN_ACKS = 4;

    private final Transaction tx;
    private final QueueView view;
    private final SqliteConnection connection;
    private final long queue;
    private final long now;

    /** Of a keyed queue; null otherwise. */
    private final @Nullable KeyedRows keyed;

    Settlements(Transaction tx, QueueView view) throws SQLException {
        this.tx = tx;
        this.view = view;
        this.connection = tx.connection();
        this.queue = tx.findQueueId(view.queue());
        this.now = tx.now(view.clock());
        this.keyed = KeyedRows.of(tx, view.queue(), now);
    }

    static SettleResult ack(Transaction tx, QueueView view, SettleRequest request) throws SQLException {
        return new Settlements(tx, view).ack(request.receipts());
    }

    private SettleResult ack(List<Receipt> receipts) throws SQLException {
        if (receipts.size() >= MIN_RUN_ACKS && !tx.shortcutsForbidden()) {
            ackRuns(receipts);
            return result(Collections.nCopies(receipts.size(), Outcome.DONE));
        }
        List<Outcome> outcomes = new ArrayList<>(receipts.size());
        for (Receipt receipt : receipts) {
            outcomes.add(ackOne(receipt));
        }
        return result(outcomes);
    }

    private Outcome ackOne(Receipt receipt) throws SQLException {
        long row = Ids.row(receipt);
        if (view.historyMillis() > 0) {
            copyToHistory(row, row, Ids.claim(receipt));
        }
        if (keyed != null) {
            return ackKeyed(row, receipt);
        }
        PreparedStatement ack = connection.prepare(Sql.ACK_ONE);
        ack.setLong(1, row);
        return executeFenced(ack, 2, receipt);
    }

    private Outcome ackKeyed(long row, Receipt receipt) throws SQLException {
        PreparedStatement ack = connection.prepare(Sql.ACK_KEYED);
        ack.setLong(1, row);
        ack.setLong(2, Ids.claim(receipt));
        ack.setLong(3, queue);
        try (ResultSet rows = ack.executeQuery()) {
            if (!rows.next()) {
                return lostOutcome(receipt);
            }
            left(rows.getString(1));
        }
        return Outcome.DONE;
    }

    /** A message of this key has left the queue, or became due later. */
    void left(@Nullable String key) {
        if (keyed != null) {
            keyed.left(key);
        }
    }

    /** Acks runs of ids, assuming that all are held. If one is not, the command is rolled back and acks one by one. */
    private void ackRuns(List<Receipt> receipts) throws SQLException {
        long[][] held = new long[receipts.size()][];
        for (int i = 0; i < held.length; i++) {
            held[i] = new long[] {Ids.claim(receipts.get(i)), Ids.row(receipts.get(i))};
        }
        Arrays.sort(held, Settlements::byClaimAndRow);
        int from = 0;
        for (int to = 1; to <= held.length; to++) {
            boolean sameRun = to < held.length && held[to][0] == held[from][0] && held[to][1] == held[to - 1][1] + 1;
            if (!sameRun) {
                ackRun(held[from][1], held[to - 1][1], held[from][0]);
                from = to;
            }
        }
    }

    private static int byClaimAndRow(long[] a, long[] b) {
        return a[0] != b[0] ? Long.compare(a[0], b[0]) : Long.compare(a[1], b[1]);
    }

    private void ackRun(long first, long last, long claim) throws SQLException {
        if (view.historyMillis() > 0) {
            copyToHistory(first, last, claim);
        }
        runLeaves(first, last, claim);
        PreparedStatement ack = connection.prepare(Sql.ACK_RUN);
        ack.setLong(1, first);
        ack.setLong(2, last);
        ack.setLong(3, claim);
        ack.setLong(4, queue);
        if (ack.executeUpdate() != last - first + 1) {
            throw new Command.ShortcutFailedException();
        }
    }

    /** Notes the keys of a run that is about to leave the queue. */
    private void runLeaves(long first, long last, long claim) throws SQLException {
        if (keyed == null) {
            return;
        }
        PreparedStatement keys = connection.prepare(Sql.RUN_KEYS);
        keys.setLong(1, first);
        keys.setLong(2, last);
        keys.setLong(3, claim);
        keys.setLong(4, queue);
        try (ResultSet rows = keys.executeQuery()) {
            while (rows.next()) {
                keyed.left(rows.getString(1));
            }
        }
    }

    private void copyToHistory(long first, long last, long claim) throws SQLException {
        PreparedStatement keep = connection.prepare(Sql.ACK_TO_HISTORY);
        keep.setLong(1, now);
        keep.setLong(2, now + view.historyMillis());
        keep.setLong(3, first);
        keep.setLong(4, last);
        keep.setLong(5, claim);
        keep.setLong(6, queue);
        keep.executeUpdate();
    }

    static SettleResult release(Transaction tx, QueueView view, ReleaseRequest request) throws SQLException {
        return new Settlements(tx, view).release(request);
    }

    private SettleResult release(ReleaseRequest request) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>(request.items().size());
        long earliest = Long.MAX_VALUE;
        for (ReleaseRequest.Item item : request.items()) {
            Due due = item.due();
            Outcome outcome = release(item);
            outcomes.add(outcome);
            if (outcome == Outcome.DONE) {
                // A message that is released in place was due when it was claimed.
                earliest = Math.min(earliest, due == null ? now : due.resolve(now));
            }
        }
        if (request.announce() && earliest != Long.MAX_VALUE) {
            view.announce(tx, earliest);
        }
        return result(outcomes);
    }

    /** Gives a message back. The later ones of its key, which its holder has too, go back with it. */
    private Outcome release(ReleaseRequest.Item item) throws SQLException {
        Due due = item.due();
        String key = keyed == null ? null : heldKey(item.receipt());
        Outcome outcome = due == null ? releaseInPlace(item) : release(item, due.resolve(now));
        if (keyed != null && key != null) {
            long row = Ids.row(item.receipt());
            keyed.takeBackBehind(row, key);
            keyed.left(key);
            if (keyed.isBehindAnother(row, key)) {
                keyed.block(row);
            }
        }
        return outcome;
    }

    /** The key of a message that the receipt holds; null if it has none, or is not held. */
    private @Nullable String heldKey(Receipt receipt) throws SQLException {
        PreparedStatement find = connection.prepare(Sql.HELD_KEY);
        find.setLong(1, Ids.row(receipt));
        find.setLong(2, Ids.claim(receipt));
        find.setLong(3, queue);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    private Outcome release(ReleaseRequest.Item item, long due) throws SQLException {
        PreparedStatement release = connection.prepare(Sql.RELEASE);
        release.setLong(1, due);
        release.setInt(2, item.counted() ? 0 : 1);
        release.setLong(3, Ids.row(item.receipt()));
        return executeFenced(release, 4, item.receipt());
    }

    private Outcome releaseInPlace(ReleaseRequest.Item item) throws SQLException {
        PreparedStatement release = connection.prepare(Sql.RELEASE_IN_PLACE);
        release.setInt(1, item.counted() ? 0 : 1);
        release.setLong(2, Ids.row(item.receipt()));
        return executeFenced(release, 3, item.receipt());
    }

    static SettleResult extend(Transaction tx, QueueView view, ExtendRequest request) throws SQLException {
        return new Settlements(tx, view).extend(request);
    }

    private SettleResult extend(ExtendRequest request) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>(request.receipts().size());
        for (Receipt receipt : request.receipts()) {
            PreparedStatement extend = connection.prepare(Sql.EXTEND);
            extend.setLong(1, now + request.leaseMillis());
            extend.setLong(2, Ids.row(receipt));
            outcomes.add(executeFenced(extend, 3, receipt));
        }
        return result(outcomes);
    }

    /** Runs a statement whose last two parameters, from an index on, are claim and queue. */
    private Outcome executeFenced(PreparedStatement statement, int first, Receipt receipt) throws SQLException {
        statement.setLong(first, Ids.claim(receipt));
        statement.setLong(first + 1, queue);
        return statement.executeUpdate() == 1 ? Outcome.DONE : lostOutcome(receipt);
    }

    /** The outcome for a reservation that its holder has lost. */
    Outcome lostOutcome(Receipt receipt) throws SQLException {
        PreparedStatement owner = connection.prepare(Sql.QUEUE_OF);
        owner.setLong(1, Ids.row(receipt));
        try (ResultSet rows = owner.executeQuery()) {
            return rows.next() && rows.getLong(1) == queue ? Outcome.STALE : Outcome.GONE;
        }
    }

    SettleResult result(List<Outcome> outcomes) throws SQLException {
        SettleResult.Builder result = SettleResult.builder().outcomes(outcomes).storageMillis(now);
        if (keyed != null) {
            keyed.promote();
            result.promotedMillis(keyed.promotedMillis());
        }
        return result.build();
    }

    long queue() {
        return queue;
    }

    long now() {
        return now;
    }
}
