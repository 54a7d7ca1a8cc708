package dev.jono.backend.sqlite;

import dev.jono.Tx;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.ForgetRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** One queue of a file. Passes each call to the writer or to a reader, and never blocks. Thread-safe. */
final class SqliteQueueStore implements QueueStore {
    private final SharedFile file;
    private final QueueView view;
    private final Executor executor;
    private final TransactionInserts inTransactions;

    SqliteQueueStore(SharedFile file, QueueView view, Executor executor) {
        this.file = file;
        this.view = view;
        this.executor = executor;
        this.inTransactions = new TransactionInserts(file, view);
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        if (request.messages().isEmpty()) {
            return done(InsertResult.builder().storageMillis(now()).build());
        }
        return write(request.messages().size(), tx -> Inserts.insert(tx, view, request));
    }

    @Override
    public InsertResult insertInto(Tx tx, InsertRequest request) {
        return inTransactions.insert(tx, request);
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        return hand(request, tx -> Takes.take(tx, view, request));
    }

    @Override
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        if (request.messages().isEmpty()) {
            return done(InsertResult.builder().storageMillis(now()).build());
        }
        return write(request.messages().size(), tx -> Inserts.restore(tx, view, request));
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        return hand(request, tx -> Claims.claim(tx, view, request));
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        List<?> items = request.receipts();
        return items.isEmpty() ? nothing() : write(items.size(), tx -> Settlements.ack(tx, view, request));
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        List<?> items = request.items();
        return items.isEmpty() ? nothing() : write(items.size(), tx -> Settlements.release(tx, view, request));
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        List<?> items = request.receipts();
        return items.isEmpty() ? nothing() : write(items.size(), tx -> Settlements.extend(tx, view, request));
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        List<?> items = request.items();
        return items.isEmpty() ? nothing() : write(items.size(), tx -> Moves.move(tx, view, request));
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        if (request.ids().isEmpty()) {
            return done(RemoveResult.builder().build());
        }
        return write(request.ids().size(), tx -> Removals.remove(tx, view, request));
    }

    @Override
    public CompletionStage<Void> makeKeyed() {
        return view.maxPerKey() == 0
                ? CompletableFuture.completedFuture(null)
                : file.write(1, tx -> {
                            KeySetting.makeKeyed(tx, view);
                            return true;
                        })
                        .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        return write(request.ids().size(), tx -> Edits.reschedule(tx, view, request));
    }

    @Override
    public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        return write(request.ids().size(), tx -> Edits.moveIdle(tx, view, request));
    }

    @Override
    public CompletionStage<Boolean> forget(ForgetRequest request) {
        return write(1, tx -> UniqueKeys.forget(tx, view, request));
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        return file.read(executor, connection -> Browses.browse(connection, view, request));
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return file.read(
                executor,
                connection ->
                        Counts.counts(connection, view.queue(), view.clock().millis(), request));
    }

    @Override
    public CompletionStage<Long> purge() {
        return Removals.purge(file, view);
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return Deletions.delete(file, view, request.withMessages());
    }

    private <R> CompletionStage<R> write(int messages, Command.Work<R> work) {
        return file.write(messages, tx -> {
            KeySetting.require(tx, view);
            return work.run(tx);
        });
    }

    private CompletionStage<ClaimResult> hand(ClaimRequest request, Command.Work<ClaimResult> work) {
        return write(request.max(), tx -> {
            KeySetting.requireSame(tx, view);
            return work.run(tx);
        });
    }

    private long now() {
        return view.clock().millis();
    }

    private CompletionStage<SettleResult> nothing() {
        return done(SettleResult.builder().storageMillis(now()).build());
    }

    private static <R> CompletionStage<R> done(R result) {
        return CompletableFuture.completedFuture(result);
    }
}
