package dev.jono.testkit;

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
import java.util.concurrent.CompletionStage;

/** A store that forwards all calls to another one. Subclasses override some of them. */
public class ForwardingStore implements QueueStore {
    private final QueueStore delegate;

    /** Forwards to this store. */
    public ForwardingStore(QueueStore delegate) {
        this.delegate = delegate;
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        return delegate.insert(request);
    }

    @Override
    public InsertResult insertInto(Tx tx, InsertRequest request) {
        return delegate.insertInto(tx, request);
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        return delegate.take(request);
    }

    @Override
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        return delegate.restore(request);
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        return delegate.claim(request);
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        return delegate.ack(request);
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        return delegate.release(request);
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        return delegate.extend(request);
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        return delegate.move(request);
    }

    @Override
    public CompletionStage<Void> makeKeyed() {
        return delegate.makeKeyed();
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        return delegate.remove(request);
    }

    @Override
    public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        return delegate.reschedule(request);
    }

    @Override
    public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        return delegate.moveIdle(request);
    }

    @Override
    public CompletionStage<Boolean> forget(ForgetRequest request) {
        return delegate.forget(request);
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        return delegate.browse(request);
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return delegate.counts(request);
    }

    @Override
    public CompletionStage<Long> purge() {
        return delegate.purge();
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return delegate.delete(request);
    }
}
