package dev.jono.testkit;

import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
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
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import java.util.concurrent.CompletionStage;

/** A backend whose calls pass {@link Faults}. */
final class FaultyBackend extends ForwardingBackend {
    private final Faults faults;

    FaultyBackend(Backend delegate, Faults faults) {
        super(delegate);
        this.faults = faults;
    }

    @Override
    public BackendTraits traits() {
        return faults.applied(delegate().traits());
    }

    @Override
    public QueueStore queue(QueueSpec spec) {
        return new FaultyStore(delegate().queue(spec), faults);
    }

    private static final class FaultyStore implements QueueStore {
        private final QueueStore store;
        private final Faults faults;

        FaultyStore(QueueStore store, Faults faults) {
            this.store = store;
            this.faults = faults;
        }

        @Override
        public CompletionStage<InsertResult> insert(InsertRequest request) {
            return faults.pass(Call.INSERT, request, () -> store.insert(request));
        }

        @Override
        public CompletionStage<ClaimResult> take(ClaimRequest request) {
            return faults.pass(Call.TAKE, request, () -> store.take(request));
        }

        @Override
        public CompletionStage<InsertResult> restore(RestoreRequest request) {
            return faults.pass(Call.RESTORE, request, () -> store.restore(request));
        }

        @Override
        public CompletionStage<ClaimResult> claim(ClaimRequest request) {
            return faults.pass(Call.CLAIM, request, () -> store.claim(request));
        }

        @Override
        public CompletionStage<SettleResult> ack(SettleRequest request) {
            return faults.pass(Call.ACK, request, () -> store.ack(request));
        }

        @Override
        public CompletionStage<SettleResult> release(ReleaseRequest request) {
            return faults.pass(Call.RELEASE, request, () -> store.release(request));
        }

        @Override
        public CompletionStage<SettleResult> extend(ExtendRequest request) {
            return faults.pass(Call.EXTEND, request, () -> store.extend(request));
        }

        @Override
        public CompletionStage<SettleResult> move(MoveRequest request) {
            return faults.pass(Call.MOVE, request, () -> store.move(request));
        }

        @Override
        public CompletionStage<Void> makeKeyed() {
            return store.makeKeyed();
        }

        @Override
        public CompletionStage<RemoveResult> remove(RemoveRequest request) {
            return faults.pass(Call.REMOVE, request, () -> store.remove(request));
        }

        @Override
        public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
            return faults.pass(Call.RESCHEDULE, request, () -> store.reschedule(request));
        }

        @Override
        public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
            return faults.pass(Call.MOVE_IDLE, request, () -> store.moveIdle(request));
        }

        @Override
        public CompletionStage<Boolean> forget(ForgetRequest request) {
            return faults.pass(Call.FORGET, request, () -> store.forget(request));
        }

        @Override
        public CompletionStage<BrowseResult> browse(BrowseRequest request) {
            return faults.pass(Call.BROWSE, request, () -> store.browse(request));
        }

        @Override
        public CompletionStage<CountsResult> counts(CountsRequest request) {
            return faults.pass(Call.COUNTS, request, () -> store.counts(request));
        }

        @Override
        public CompletionStage<Long> purge() {
            return faults.pass(Call.PURGE, "purge", store::purge);
        }

        @Override
        public CompletionStage<DeleteResult> delete(DeleteRequest request) {
            return faults.pass(Call.DELETE, request, () -> store.delete(request));
        }
    }
}
