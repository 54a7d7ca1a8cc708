package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
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
import dev.jono.spi.KeySettings;
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
import dev.jono.support.redis.RedisErrors;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One queue: finds the layout in which Redis holds it, and makes the calls in that layout. A queue object that was opened without
 * ordering keys assumes the layout without them until Redis refuses a call there, so such queues need no further call. The engine
 * calls it on any thread. Methods never block, and results arrive on the connection's thread. Thread-safe.
 */
final class RedisOqQueue implements QueueStore {
    /** The backend's type in URLs and exceptions. */
    static final String TYPE = "redis-oq";

    private final RedisLink link;
    private final QueueSpec spec;
    private final byte[] main;
    private final QueueCalls plain;
    private final QueueCalls keyed;

    /** The layout, and how many messages of an ordering key may be held in it; null if Redis has to be asked. */
    private volatile @Nullable Opened opened;

    private record Opened(QueueCalls calls, int maxPerKey) {}

    /**
     * A queue.
     *
     * @param main the key whose type shows the layout
     */
    RedisOqQueue(RedisLink link, QueueSpec spec, byte[] main, QueueCalls plain, QueueCalls keyed) {
        this.link = link;
        this.spec = spec;
        this.main = main;
        this.plain = plain;
        this.keyed = keyed;
        this.opened = spec.maxPerKey() == 0 ? new Opened(plain, 0) : null;
    }

    private <R> CompletionStage<R> call(Function<QueueStore, CompletionStage<R>> step) {
        return call(step, /* handsOut= */ false);
    }

    /**
     * Makes a call in the layout of the queue.
     *
     * @param handsOut whether the call hands out messages: then the queue object must have been opened as the queue is
     */
    private <R> CompletionStage<R> call(Function<QueueStore, CompletionStage<R>> step, boolean handsOut) {
        Opened layout = opened;
        return layout == null
                ? open().thenCompose(found -> attempt(step, handsOut, found))
                : attempt(step, handsOut, layout)
                        .handle((result, failure) -> failure != null && isElsewhere(layout, failure)
                                ? open().thenCompose(found -> found.calls == plain && layout.calls == plain
                                        ? CompletableFuture.<R>failedFuture(failure)
                                        : attempt(step, handsOut, found))
                                : completed(result, failure))
                        .thenCompose(stage -> stage);
    }

    private static <R> CompletionStage<R> completed(R result, @Nullable Throwable failure) {
        return failure == null ? CompletableFuture.completedFuture(result) : CompletableFuture.failedFuture(failure);
    }

    private <R> CompletionStage<R> attempt(
            Function<QueueStore, CompletionStage<R>> step, boolean handsOut, Opened layout) {
        return handsOut && layout.maxPerKey != spec.maxPerKey()
                ? CompletableFuture.failedFuture(KeySettings.differ(spec.name(), spec.maxPerKey(), layout.maxPerKey))
                : step.apply(layout.calls);
    }

    /** Whether Redis refused a call because the queue is not, or no longer, in this layout. */
    private static boolean isElsewhere(Opened layout, Throwable failure) {
        return RedisErrors.hasCode(failure, layout.calls.keyed() ? "UNKEYED" : "WRONGTYPE");
    }

    /**
     * Asks Redis for the layout. A queue without messages gets the one that this object was opened for, also if it had that before and was
     * deleted.
     */
    private CompletionStage<Opened> open() {
        return openedAs().thenApply(maxPerKey -> {
            if (spec.maxPerKey() > 0 && maxPerKey != spec.maxPerKey()) {
                throw KeySettings.differ(spec.name(), spec.maxPerKey(), maxPerKey);
            }
            Opened found = new Opened(maxPerKey == 0 ? plain : keyed, maxPerKey);
            opened = found;
            return found;
        });
    }

    /** The setting that the queue has now. */
    private CompletionStage<Integer> openedAs() {
        return link.run(Scripts.OPEN, spec.name(), new byte[][] {main}, RedisKeys.bytes(spec.maxPerKey()))
                .thenApply(answer -> (int) number(answer.get(0)));
    }

    @Override
    public CompletionStage<Void> makeKeyed() {
        return spec.maxPerKey() == 0
                ? CompletableFuture.completedFuture(null)
                : openedAs().thenAccept(maxPerKey -> {});
    }

    @Override
    public CompletionStage<InsertResult> insert(InsertRequest request) {
        return call(calls -> calls.insert(request));
    }

    @Override
    public CompletionStage<InsertResult> restore(RestoreRequest request) {
        return call(calls -> calls.restore(request));
    }

    @Override
    public CompletionStage<ClaimResult> take(ClaimRequest request) {
        return call(calls -> calls.take(request), /* handsOut= */ true);
    }

    @Override
    public CompletionStage<ClaimResult> claim(ClaimRequest request) {
        return call(calls -> calls.claim(request), /* handsOut= */ true);
    }

    @Override
    public CompletionStage<SettleResult> ack(SettleRequest request) {
        return call(calls -> calls.ack(request));
    }

    @Override
    public CompletionStage<SettleResult> release(ReleaseRequest request) {
        return call(calls -> calls.release(request));
    }

    @Override
    public CompletionStage<SettleResult> extend(ExtendRequest request) {
        return call(calls -> calls.extend(request));
    }

    @Override
    public CompletionStage<SettleResult> move(MoveRequest request) {
        return call(calls -> calls.move(request));
    }

    @Override
    public CompletionStage<RemoveResult> remove(RemoveRequest request) {
        return call(calls -> calls.remove(request));
    }

    @Override
    public CompletionStage<EditResult> reschedule(RescheduleRequest request) {
        return call(calls -> calls.reschedule(request));
    }

    @Override
    public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
        return call(calls -> calls.moveIdle(request));
    }

    @Override
    public CompletionStage<Boolean> forget(ForgetRequest request) {
        return call(calls -> calls.forget(request));
    }

    @Override
    public CompletionStage<BrowseResult> browse(BrowseRequest request) {
        if (request.view() == BrowseRequest.View.HISTORY) {
            return CompletableFuture.failedFuture(
                    new UnsupportedCapabilityException("history", spec.name(), TYPE, Capability.HISTORY));
        }
        return call(calls -> calls.browse(request));
    }

    @Override
    public CompletionStage<CountsResult> counts(CountsRequest request) {
        return call(calls -> calls.counts(request));
    }

    @Override
    public CompletionStage<Long> purge() {
        return call(QueueStore::purge);
    }

    @Override
    public CompletionStage<DeleteResult> delete(DeleteRequest request) {
        return call(calls -> calls.delete(request));
    }
}
