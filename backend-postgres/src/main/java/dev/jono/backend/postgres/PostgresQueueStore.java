package dev.jono.backend.postgres;

import dev.jono.Tx;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.Due;
import dev.jono.spi.EditResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.ForgetRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.Housekeeping;
import dev.jono.support.postgres.JoinedTransactions;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RecentCalls;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One queue. Each call is one transaction, and takes effect once. Blocks the calling thread; thread-safe. */
final class PostgresQueueStore implements BlockingQueueStore {
    private final PostgresLink link;
    private final QueueView view;
    private final RecentCalls calls;
    private final Housekeeping housekeeping;
    private final KeySetting keySetting;
    private final JoinedTransactions joined;
    private final LongSupplier nanos;

    /** @param nanos the nanoseconds of a clock that does not go back */
    PostgresQueueStore(
            PostgresLink link, QueueView view, RecentCalls calls, Housekeeping housekeeping, LongSupplier nanos) {
        this.nanos = nanos;
        this.link = link;
        this.view = view;
        this.calls = calls;
        this.housekeeping = housekeeping;
        this.keySetting = new KeySetting(link, view);
        this.joined = new JoinedTransactions(link);
    }

    private <R> R change(Supplier<R> call) {
        housekeeping.runIfDue();
        return keySetting.with(call);
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        Arrivals arrivals = Arrivals.begin(nanos);
        InsertResult result = change(() -> insertOnce(request));
        for (NewMessage message : request.messages()) {
            came(arrivals, message.due(), result.storageMillis());
        }
        return result;
    }

    private InsertResult insertOnce(InsertRequest request) {
        if (PlainInserts.fits(view, request.messages())) {
            PlainInserts plain = new PlainInserts(view, request.token(), request.messages());
            InsertResult result = calls.inserts.runStatement("push", view.queue(), request.token(), plain);
            if (result != null) {
                return result;
            }
        }
        return insertAny(request);
    }

    private InsertResult insertAny(InsertRequest request) {
        return calls.inserts.run(
                "push",
                view.queue(),
                request.token(),
                tx -> new Inserts(tx, view.queue(), keySetting.findToAdd(tx)).insert(request.messages()),
                result -> true);
    }

    @Override
    public InsertResult insertInto(Tx tx, InsertRequest request) {
        keySetting.prepare();
        try {
            return joined.run(
                    "push",
                    view.queue(),
                    tx,
                    statements -> new Inserts(statements, view.queue(), keySetting.findToAdd(statements))
                            .insert(request.messages()));
        } catch (KeySetting.LostException deleted) {
            throw keySetting.lost(deleted);
        }
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        Arrivals arrivals = Arrivals.begin(nanos);
        InsertResult result = change(() -> calls.inserts.run(
                "restore",
                view.queue(),
                request.token(),
                tx -> new Inserts(tx, view.queue(), keySetting.findToAdd(tx)).restore(request.messages()),
                stored -> true));
        for (StoredMessage message : request.messages()) {
            arrivals.came(view.looks(), message.dueMillis(), result.storageMillis());
        }
        return result;
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return change(() -> view.maxPerKey() > 0
                ? keyedHandOut("pop", request, view.looks().expired().isDue(), KeyedHandOuts::take)
                : calls.claims.run(
                        "pop",
                        view.queue(),
                        request.token(),
                        tx -> new HandOuts(tx, view).take(request),
                        result -> result.size() > 0));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        ClaimResult result = change(() -> view.maxPerKey() > 0
                ? claimKeyed(request)
                : Objects.requireNonNull(calls.claims.runStatement(
                        "reserve", view.queue(), request.token(), PlainClaim.any(view, request))));
        if (result.size() > 0) {
            view.looks().expired().leaseStarted(request.leaseMillis());
        }
        return result;
    }

    private ClaimResult claimKeyed(ClaimRequest request) {
        boolean lookFurther = view.looks().expired().isDue();
        ClaimResult free = null;
        // Also where it does nothing: the call may be the repetition of one whose answer was lost.
        if (view.strict() && request.maxPerKey() == 1) {
            free = calls.claims.runStatement(
                    "reserve", view.queue(), request.token(), PlainClaim.free(view, request, lookFurther));
        }
        return free != null ? free : keyedHandOut("reserve", request, lookFurther, KeyedHandOuts::claim);
    }

    /** What is done with the messages of a keyed queue within a transaction. */
    @FunctionalInterface
    private interface HandOut {
        ClaimResult run(KeyedHandOuts messages, ClaimRequest request) throws SQLException;
    }

    private ClaimResult keyedHandOut(String step, ClaimRequest request, boolean lookFurther, HandOut handOut) {
        return calls.claims.run(
                step,
                view.queue(),
                request.token(),
                tx -> handOut.run(new KeyedHandOuts(tx, view, keySetting.find(tx), lookFurther), request),
                result -> result.size() > 0);
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        if (request.receipts().isEmpty()) {
            return nothing();
        }
        if (view.maxPerKey() == 0 && view.historyMillis() == 0) {
            housekeeping.runIfDue();
            PlainSettlements.Acked done =
                    link.single("ack", view.queue(), true, tx -> PlainSettlements.ack(tx, view, request.receipts()));
            List<Receipt> left =
                    done.left().stream().map(request.receipts()::get).toList();
            return left.isEmpty() ? done.result() : done.with(ackInTransaction(request.token(), left));
        }
        if (!StrictAck.fits(view)) {
            return ackInTransaction(request.token(), request.receipts());
        }
        housekeeping.runIfDue();
        Arrivals arrivals = Arrivals.begin(nanos);
        SettleResult result =
                link.single("ack", view.queue(), true, tx -> new StrictAck(tx, view).run(request.receipts()));
        return promoted(arrivals, result);
    }

    private SettleResult ackInTransaction(String token, List<Receipt> receipts) {
        return settle("ack", token, (tx, queue) -> new Settlements(tx, view, queue).ack(receipts));
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        if (request.items().isEmpty()) {
            return nothing();
        }
        Arrivals arrivals = Arrivals.begin(nanos);
        AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);
        SettleResult result = settle("release", request.token(), (tx, queue) -> {
            Settlements settlements = new Settlements(tx, view, queue);
            SettleResult released = settlements.release(request.items());
            earliest.set(settlements.earliestReleased());
            return released;
        });
        arrivals.came(view.looks(), earliest.get(), result.storageMillis());
        return result;
    }

    private SettleResult promoted(Arrivals arrivals, SettleResult result) {
        result.promotedMillis().ifPresent(due -> arrivals.came(view.looks(), due, result.storageMillis()));
        return result;
    }

    private void came(Arrivals arrivals, Due due, long nowMillis) {
        arrivals.came(view.looks(), due.resolve(nowMillis), nowMillis);
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        return request.receipts().isEmpty()
                ? nothing()
                : link.single("extend", view.queue(), true, tx -> PlainSettlements.extend(tx, view, request));
    }

    @Override
    public SettleResult move(MoveRequest request) {
        if (request.items().isEmpty()) {
            return nothing();
        }
        Arrivals arrivals = Arrivals.begin(nanos);
        SettleResult result =
                settle("move", request.token(), (tx, queue) -> new Moves(tx, view, queue).move(request.items()));
        long now = result.storageMillis();
        for (MoveItem item : request.items()) {
            arrivals.came(view.looksByName().find(item.toQueue()), item.due().resolve(now), now);
        }
        return result;
    }

    /** What is done with the queue within a transaction. */
    @FunctionalInterface
    private interface Work<R> {
        R run(SqlTransaction tx, Queues.Found queue) throws SQLException;
    }

    private SettleResult settle(String step, String token, Work<SettleResult> work) {
        Arrivals arrivals = Arrivals.begin(nanos);
        SettleResult settled = change(() -> calls.settlements.run(
                step,
                view.queue(),
                token,
                tx -> work.run(tx, keySetting.find(tx)),
                result -> result.outcomes().contains(Outcome.DONE)));
        return promoted(arrivals, settled);
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        if (request.ids().isEmpty()) {
            return RemoveResult.builder().build();
        }
        return change(() -> calls.removals.run(
                "remove",
                view.queue(),
                request.token(),
                tx -> new Edits(tx, view, keySetting.find(tx)).remove(request.ids()),
                result -> true));
    }

    @Override
    public EditResult reschedule(RescheduleRequest request) {
        Arrivals arrivals = Arrivals.begin(nanos);
        EditResult result = edit(
                "reschedule",
                request.token(),
                request.ids(),
                (tx, queue) -> new Edits(tx, view, queue).reschedule(request));
        came(arrivals, request.due(), result.storageMillis());
        return result;
    }

    @Override
    public EditResult moveIdle(MoveIdleRequest request) {
        Arrivals arrivals = Arrivals.begin(nanos);
        EditResult result = edit(
                "moveIdle",
                request.token(),
                request.ids(),
                (tx, queue) -> new Edits(tx, view, queue).moveIdle(request));
        // What the due times are that the messages keep, only the server knows.
        long earliest = request.keepsTriesAndDue() ? 0 : result.storageMillis();
        arrivals.came(view.looksByName().find(request.toQueue()), earliest, result.storageMillis());
        return result;
    }

    private EditResult edit(String step, String token, List<String> ids, Work<EditResult> work) {
        if (ids.isEmpty()) {
            return EditResult.builder().build();
        }
        return change(() ->
                calls.edits.run(step, view.queue(), token, tx -> work.run(tx, keySetting.find(tx)), result -> true));
    }

    @Override
    public void makeKeyed() {
        keySetting.makeKeyed();
    }

    @Override
    public boolean forget(ForgetRequest request) {
        return link.single(
                "forget", view.queue(), true, tx -> new UniqueKeys(tx, Queues.find(tx, view.queue())).forget(request));
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        return link.single("browse", view.queue(), false, tx -> Browses.browse(tx, view, request));
    }

    @Override
    public CountsResult counts(CountsRequest request) {
        List<String> queue = List.of(view.queue());
        return Objects.requireNonNull(
                link.single("counts", view.queue(), false, tx -> Counts.counts(tx, queue, request.history()))
                        .get(view.queue()));
    }

    @Override
    public long purge() {
        return change(() -> new Deletions(link, view).purge());
    }

    @Override
    public DeleteResult delete(DeleteRequest request) {
        return new Deletions(link, view).delete(request.withMessages());
    }

    private SettleResult nothing() {
        return SettleResult.builder().build();
    }
}
