package dev.jono.backend.keusspostgres;

import dev.jono.Capability;
import dev.jono.RemoveOutcome;
import dev.jono.StorageException;
import dev.jono.Tx;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.Housekeeping;
import dev.jono.support.postgres.JoinedTransactions;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RecentCalls;
import dev.jono.support.postgres.SqlTransaction;
import dev.jono.support.postgres.SqlWork;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One queue. Each call is one transaction, and takes effect once. Blocks the calling thread; thread-safe. */
final class KeussQueueStore implements BlockingQueueStore {
    /** Others would have to drop the table this many times in a row, each time between two steps of this process. */
    private static final int MAX_ATTEMPTS = 50;

    private final PostgresLink link;
    private final String queue;
    private final Tables tables;
    private final RecentCalls calls;
    private final Housekeeping housekeeping;
    private final JoinedTransactions joined;

    KeussQueueStore(PostgresLink link, String queue, Tables tables, RecentCalls calls, Housekeeping housekeeping) {
        this.link = link;
        this.queue = queue;
        this.tables = tables;
        this.calls = calls;
        this.housekeeping = housekeeping;
        this.joined = new JoinedTransactions(link);
    }

    /** Runs a call again if another client has dropped a table or made it anew. */
    private <R> R withTables(Set<String> queues, Supplier<R> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (StorageException failure) {
                if (attempt == MAX_ATTEMPTS || !Tables.haveChanged(failure)) {
                    throw failure;
                }
                tables.forget(queues);
            }
        }
    }

    /** A call on the table of this queue, which may be missing. */
    @FunctionalInterface
    private interface Call<R> {
        R on(@Nullable QueueTable table);
    }

    /**
     * Runs a call that changes messages of this queue. One that may be repeated runs without a table too: the table may have
     * been dropped after the first run.
     */
    private <R> R change(Function<String, @Nullable QueueTable> finder, Call<R> call) {
        housekeeping.runIfDue();
        return withTables(Set.of(queue), () -> call.on(finder.apply(queue)));
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        return request.messages().isEmpty()
                ? InsertResult.builder().build()
                : store("push", request.token(), inserts -> inserts.insert(request.messages()));
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        return request.messages().isEmpty()
                ? InsertResult.builder().build()
                : store("restore", request.token(), inserts -> inserts.restore(request.messages()));
    }

    /** Stores messages. */
    @FunctionalInterface
    private interface Storing {
        InsertResult with(Inserts inserts) throws SQLException;
    }

    private InsertResult store(String step, String token, Storing storing) {
        housekeeping.runIfDue();
        return withTables(Set.of(queue), () -> {
            QueueTable table = tables.findOrCreate(queue);
            return calls.inserts.run(
                    step, queue, token, tx -> storing.with(new Inserts(tx, table, queue)), result -> true);
        });
    }

    @Override
    public InsertResult insertInto(Tx tx, InsertRequest request) {
        // In a transaction of its own: that of the application may be rolled back.
        QueueTable table = tables.findOrCreate(queue);
        try {
            return joined.run(
                    "push", queue, tx, statements -> new Inserts(statements, table, queue).insert(request.messages()));
        } catch (StorageException failure) {
            if (Tables.haveChanged(failure)) {
                tables.forget(Set.of(queue));
            }
            throw failure;
        }
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return change(
                tables::find,
                table -> handOut(
                        "pop",
                        request.token(),
                        tx -> table == null ? nothing() : new HandOuts(tx, table, queue).take(request)));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return change(
                tables::findForReservations,
                table -> handOut(
                        "reserve",
                        request.token(),
                        tx -> table == null ? nothing() : new HandOuts(tx, table, queue).claim(request)));
    }

    private ClaimResult handOut(String step, String token, SqlWork<ClaimResult> work) {
        return calls.claims.run(step, queue, token, work, result -> result.size() > 0);
    }

    private static ClaimResult nothing() {
        return ClaimResult.builder().nextMillis(ClaimResult.NONE).build();
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        return settleAtOnce(
                "ack", request.receipts().size(), (tx, table) -> new Settlements(tx, table).ack(request.receipts()));
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        return settleAtOnce(
                "extend", request.receipts().size(), (tx, table) -> new Settlements(tx, table).extend(request));
    }

    /** Settles reservations within a transaction. */
    @FunctionalInterface
    private interface Settling {
        SettleResult with(SqlTransaction tx, QueueTable table) throws SQLException;
    }

    /** Runs one statement that may be done twice. Without a table, the messages are gone. */
    private SettleResult settleAtOnce(String step, int count, Settling settling) {
        if (count == 0) {
            return Settlements.gone(0);
        }
        return change(
                tables::find,
                table -> table == null
                        ? Settlements.gone(count)
                        : link.single(step, queue, true, tx -> settling.with(tx, table)));
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        int count = request.items().size();
        if (count == 0) {
            return Settlements.gone(0);
        }
        return change(
                tables::findForReservations,
                table -> settle(
                        "release",
                        request.token(),
                        tx -> table == null
                                ? Settlements.gone(count)
                                : new Settlements(tx, table).release(request.items())));
    }

    @Override
    public SettleResult move(MoveRequest request) {
        List<MoveItem> items = request.items();
        if (items.isEmpty()) {
            return Settlements.gone(0);
        }
        Set<String> targets = new HashSet<>();
        items.stream().map(MoveItem::toQueue).forEach(targets::add);
        Set<String> all = new HashSet<>(targets);
        all.add(queue);
        housekeeping.runIfDue();
        return withTables(all, () -> {
            QueueTable table = tables.find(queue);
            Map<String, QueueTable> byQueue = new HashMap<>();
            if (table != null) {
                targets.forEach(target -> byQueue.put(target, tables.findOrCreate(target)));
            }
            return settle(
                    "move",
                    request.token(),
                    tx -> table == null ? Settlements.gone(items.size()) : new Moves(tx, table, byQueue).move(items));
        });
    }

    private SettleResult settle(String step, String token, SqlWork<SettleResult> work) {
        return calls.settlements.run(
                step, queue, token, work, result -> result.outcomes().contains(Outcome.DONE));
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        List<String> ids = request.ids();
        RemoveResult absent = RemoveResult.builder()
                .outcomes(Collections.nCopies(ids.size(), RemoveOutcome.ABSENT))
                .build();
        if (ids.isEmpty()) {
            return absent;
        }
        return change(
                tables::find,
                table -> calls.removals.run(
                        "remove",
                        queue,
                        request.token(),
                        tx -> table == null ? absent : new Removals(tx, table).remove(ids),
                        result -> true));
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            throw new UnsupportedCapabilityException(
                    "history", queue, KeussPostgresBackendProvider.TYPE, Capability.HISTORY);
        }
        return look(
                "browse",
                (tx, table) -> table == null
                        ? BrowseResult.builder().storageMillis(tx.nowMillis()).build()
                        : new Browses(tx, table, queue).browse(request));
    }

    @Override
    public CountsResult counts(CountsRequest request) {
        return look("counts", (tx, table) -> table == null ? Counts.none(tx) : Counts.counts(tx, table));
    }

    /** Reads the table, which may be missing. */
    @FunctionalInterface
    private interface Look<R> {
        R at(SqlTransaction tx, @Nullable QueueTable table) throws SQLException;
    }

    private <R> R look(String step, Look<R> look) {
        return withTables(Set.of(queue), () -> {
            QueueTable table = tables.find(queue);
            return link.single(step, queue, false, tx -> look.at(tx, table));
        });
    }

    /** Ends after as many messages as there are at the beginning, also if others are pushed meanwhile. */
    @Override
    public long purge() {
        return change(tables::find, table -> {
            if (table == null) {
                return 0L;
            }
            long present = link.single("purge", queue, false, tx -> new Removals(tx, table).count());
            long purged = 0;
            long part = Removals.ROWS_PER_TRANSACTION;
            while (part == Removals.ROWS_PER_TRANSACTION && purged < present) {
                part = link.single("purge", queue, true, tx -> new Removals(tx, table).purgeSome());
                purged += part;
            }
            return purged;
        });
    }

    @Override
    public DeleteResult delete(DeleteRequest request) {
        DeleteResult result = withTables(Set.of(queue), () -> {
            QueueTable table = tables.find(queue);
            return table == null
                    ? DeleteResult.deleted(0)
                    : link.transaction("delete", queue, tx -> new Removals(tx, table).delete(request.withMessages()));
        });
        if (result.deleted()) {
            tables.forget(Set.of(queue));
        }
        return result;
    }
}
