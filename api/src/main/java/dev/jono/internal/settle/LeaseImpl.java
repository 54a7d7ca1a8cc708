package dev.jono.internal.settle;

import dev.jono.Capability;
import dev.jono.Durations;
import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.RetryOutcome;
import dev.jono.StaleReservationException;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.runtime.Failures;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settles one reservation, known by its receipt. What else must be known of the message is read from the storage when it is
 * needed. Thread-safe.
 */
public class LeaseImpl implements Lease {
    public final QueueHandle handle;
    private final QueueCore core;
    private final Receipt receipt;
    private volatile boolean begun;

    /** How a call enters its lane. */
    public enum Mode {
        /** Waits for room, and for the answer. */
        WAIT,
        /** Is refused when there is no room. */
        ASYNC,
        /** A call of the engine, which no bound refuses. */
        INTERNAL
    }

    public LeaseImpl(QueueHandle handle, Receipt receipt) {
        this.handle = handle;
        this.core = handle.core;
        this.receipt = receipt;
    }

    /** The message as this delivery got it, read from the storage. */
    CompletableFuture<StoredMessage> message() {
        core.context.require(Capability.BROWSE, "settle by receipt", core.name);
        return core.store
                .browse(BrowseRequest.builder()
                        .ids(List.of(receipt.id()))
                        .limit(1)
                        .build())
                .toCompletableFuture()
                .thenApply(found -> {
                    if (found.messages().isEmpty()) {
                        throw new StaleReservationException("settle", core.name, receipt.id(), true);
                    }
                    StoredMessage stored = found.messages().get(0);
                    // A message whose lease has ended counts this delivery already.
                    boolean ended = stored.state() != StoredMessage.State.RESERVED;
                    return stored.with(stored.dueMillis(), Math.max(0, stored.tries() - (ended ? 1 : 0)));
                });
    }

    /** Called when the lease was extended. */
    void extended(long leaseEndNanos, Duration lease) {}

    /** Called before the message is released, with its new due time; null if it keeps its old one. */
    void releasing(@Nullable Due due) {}

    final boolean begun() {
        return begun;
    }

    public final void begin() {
        begun = true;
    }

    final Receipt key() {
        return receipt;
    }

    @Override
    public final String id() {
        return receipt.id();
    }

    @Override
    public final String receipt() {
        return receipt.encoded();
    }

    // ---- steps ----------------------------------------------------------------------------------------------

    private <I> CompletableFuture<Void> settle(
            SettleLane<I> lane, I item, String step, @Nullable Counter counter, Mode mode) {
        core.context.requireOpen(core.name);
        return settle(lane, new SettleLane.Settle<>(List.of(item)), step, counter, mode);
    }

    private <I> CompletableFuture<Void> settle(
            SettleLane<I> lane, SettleLane.Settle<I> call, String step, @Nullable Counter counter, Mode mode) {
        CompletableFuture<Void> done = call.done.thenAccept(outcomes -> {
            MessageMove.check(outcomes.get(0), step, core, receipt);
            if (counter != null) {
                core.pendingCounts.add(counter, 1);
            }
        });
        switch (mode) {
            case WAIT -> {
                lane.submitBlocking(call, handle.settings.bounds());
                handle.await(step, lane, call, done);
            }
            case ASYNC -> lane.submitAsync(call, handle.settings.bounds());
            // Bounded by the reservations that are held.
            case INTERNAL -> lane.submitInternal(call);
        }
        return done;
    }

    /**
     * Runs a step that settles. If it fails, the reservation counts as not settled, so that its holder or the worker may
     * try again; unless it is stale.
     */
    private <V> CompletableFuture<V> settling(Supplier<CompletableFuture<V>> step) {
        begun = true;
        try {
            return step.get().whenComplete((done, failure) -> {
                if (failure != null && !Failures.stale(failure)) {
                    begun = false;
                }
            });
        } catch (RuntimeException | Error failure) {
            begun = Failures.stale(failure);
            throw failure;
        }
    }

    final void unsettled() {
        begun = false;
    }

    public final CompletableFuture<Void> ack(Mode mode) {
        return settling(() -> settle(core.acks, receipt, "ack", Counter.ACKED, mode));
    }

    public final CompletableFuture<Void> release(@Nullable Due due, Mode mode) {
        releasing(due);
        return settling(() ->
                settle(core.releases, ReleaseRequest.Item.of(receipt, due, false), "release", Counter.RELEASED, mode));
    }

    private CompletableFuture<Void> goBack(Due due) {
        return settle(
                core.releases, ReleaseRequest.Item.of(receipt, due, true), "retry", Counter.RETRIED, Mode.INTERNAL);
    }

    /**
     * Retries, or dead-letters after the last delivery.
     *
     * @param delay the delay for a message with this many tries
     */
    public final CompletableFuture<RetryOutcome> retry(
            Function<Integer, Duration> delay, String lastReason, @Nullable String error) {
        return settling(() -> back(delay, lastReason, error));
    }

    private CompletableFuture<RetryOutcome> back(
            Function<Integer, Duration> delay, String lastReason, @Nullable String error) {
        core.context.requireOpen(core.name);
        return message().thenCompose(message -> {
            boolean last = message.tries() + 1 >= handle.settings.deadLetter().maxDeliveries();
            String target = handle.settings.deadLetter().queue();
            if (last && !target.equals(core.name)) {
                return DeadLetters.move(core, receipt, message, target, lastReason, error)
                        .thenApply(done -> RetryOutcome.DEAD_LETTERED);
            }
            return goBack(Due.in(delay.apply(message.tries() + 1).toMillis())).thenApply(done -> RetryOutcome.RETRIED);
        });
    }

    /** The delay of a retry that names none. */
    Duration pause(int attempt) {
        return handle.settings.pause(attempt);
    }

    final CompletableFuture<RetryOutcome> retryWithBackoff(@Nullable Throwable error) {
        return retry(this::pause, DeadLetters.LIMIT, error == null ? null : FailureText.of(error));
    }

    final CompletableFuture<RetryOutcome> retryAfter(Duration delay) {
        Durations.check(delay, "delay");
        return retry(tries -> delay, DeadLetters.LIMIT, null);
    }

    public final CompletableFuture<Void> giveUp(String reason) {
        return settling(() -> rejected(reason));
    }

    private CompletableFuture<Void> rejected(String reason) {
        core.context.requireOpen(core.name);
        String target = handle.settings.deadLetter().queue();
        if (target.equals(core.name)) {
            // Messages of the dead-letter queue are never dead-lettered.
            return retryWithBackoff(null).thenAccept(back -> {});
        }
        return message()
                .thenCompose(message -> DeadLetters.move(core, receipt, message, target, DeadLetters.REJECTED, reason));
    }

    final CompletableFuture<Void> lengthen(Duration lease, Mode mode) {
        if (Durations.check(lease, "lease").toMillis() < 1) {
            throw new IllegalArgumentException("lease must be at least a millisecond: " + Durations.format(lease));
        }
        long end = core.context.clock.nanos() + lease.toNanos();
        core.context.requireOpen(core.name);
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(List.of(receipt), lease.toMillis());
        return settle(core.extensions, call, "extend", null, mode).thenRun(() -> extended(end, lease));
    }

    public final CompletableFuture<Void> moveOn(MoveItem.Builder change, String queue) {
        return settling(() -> moved(change, queue));
    }

    private CompletableFuture<Void> moved(MoveItem.Builder change, String queue) {
        core.context.requireOpen(core.name);
        core.context.require(Capability.MOVE, "moveTo", core.name);
        QueueCore target = core.others.apply(queue);
        MoveItem item = change.receipt(receipt).toQueue(queue).build();
        return message()
                .thenCompose(message -> MessageMove.move(core, item, message, "moveTo"))
                .thenRun(() -> {
                    core.pendingCounts.add(Counter.ACKED, 1);
                    target.pendingCounts.pushed(1);
                });
    }

    private CompletableFuture<Void> moveOn(String queue) {
        return moveOn(MoveItem.builder().due(Due.now()).addHeaders(Headers.empty()), queue);
    }

    // ---- blocking forms -------------------------------------------------------------------------------------

    @Override
    public void ack() {
        ack(Mode.WAIT);
    }

    @Override
    public RetryOutcome retry() {
        return handle.await("retry", retryWithBackoff(null));
    }

    @Override
    public RetryOutcome retry(Duration delay) {
        return handle.await("retry", retryAfter(delay));
    }

    @Override
    public RetryOutcome retry(Throwable error) {
        return handle.await("retry", retryWithBackoff(error));
    }

    @Override
    public void release() {
        release(null, Mode.WAIT);
    }

    @Override
    public void release(Duration delay) {
        release(Due.in(Durations.check(delay, "delay").toMillis()), Mode.WAIT);
    }

    @Override
    public void reject(String reason) {
        handle.await("reject", giveUp(reason));
    }

    @Override
    public void extend(Duration lease) {
        lengthen(lease, Mode.WAIT);
    }

    @Override
    public void moveTo(String queue) {
        handle.await("moveTo", moveOn(queue));
    }

    // ---- async forms ----------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> ackAsync() {
        return handle.forUser(() -> ack(Mode.ASYNC));
    }

    @Override
    public CompletableFuture<RetryOutcome> retryAsync() {
        return handle.forUser(() -> retryWithBackoff(null));
    }

    @Override
    public CompletableFuture<RetryOutcome> retryAsync(Duration delay) {
        return handle.forUser(() -> retryAfter(delay));
    }

    @Override
    public CompletableFuture<Void> releaseAsync(Duration delay) {
        return handle.forUser(
                () -> release(Due.in(Durations.check(delay, "delay").toMillis()), Mode.ASYNC));
    }

    @Override
    public CompletableFuture<Void> rejectAsync(String reason) {
        return handle.forUser(() -> giveUp(reason));
    }

    @Override
    public CompletableFuture<Void> extendAsync(Duration lease) {
        return handle.forUser(() -> lengthen(lease, Mode.ASYNC));
    }

    @Override
    public CompletableFuture<Void> moveToAsync(String queue) {
        return handle.forUser(() -> moveOn(queue));
    }

    @Override
    public String toString() {
        return "lease of message " + receipt.id() + " in queue '" + core.name + "'";
    }
}
