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
 * Settles one reservation. The base of all reservations, and itself the one that is made from a receipt: it reads the message
 * from the storage when a step needs it. Called on the threads of users and handlers, with no lock held. Thread-safe.
 */
public class LeaseImpl implements Lease {
    public final QueueHandle handle;
    private final QueueCore core;
    private final Receipt receipt;

    /** Whether a settling step is in flight or done. */
    private volatile boolean settling;

    /** Whether the last settling step was an ack or a move. */
    private volatile boolean handled;

    /** How a call enters its lane. */
    public enum Mode {
        /** Waits for room in the lane, and for the answer. */
        WAIT,
        /** Fails if there is no room in the lane. */
        ASYNC,
        /**
         * Not subject to the lane's bounds, because the number of held reservations limits these calls already: the engine's
         * own, and retry, reject and move.
         */
        INTERNAL
    }

    public LeaseImpl(QueueHandle handle, Receipt receipt) {
        this.handle = handle;
        this.core = handle.core;
        this.receipt = receipt;
    }

    /** The message, with the tries of this delivery. */
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
                    // When a lease ends, the storage counts the delivery in tries, so one is subtracted.
                    boolean ended = stored.state() != StoredMessage.State.RESERVED;
                    return stored.with(stored.dueMillis(), Math.max(0, stored.tries() - (ended ? 1 : 0)));
                });
    }

    /**
     * Called when the lease was extended.
     *
     * @param leaseEndNanos the earliest monotonic time at which the lease can end
     */
    void extended(long leaseEndNanos, Duration lease) {}

    /** Called when the message went back to the queue. */
    void wentBack() {}

    /** Called before the message is released, with its new due time; null if it keeps its old one. */
    void releasing(@Nullable Due due) {}

    /** Whether a settling step is in flight or done. */
    final boolean isSettling() {
        return settling;
    }

    /** A settling step begins. */
    public final void beginSettling() {
        settling = true;
    }

    /** A settling step has failed, so the reservation can be settled again. */
    final void endSettling() {
        settling = false;
    }

    /** Whether it was settled by an ack or a move: the other steps give the message back, or make it a dead letter. */
    public final boolean isHandled() {
        return settling && handled;
    }

    final Receipt parsedReceipt() {
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
            Outcomes.check(outcomes.get(0), step, core, receipt);
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
            case INTERNAL -> lane.submitInternal(call);
        }
        return done;
    }

    /**
     * Runs a step that settles. If the step fails, the holder or the worker can settle the reservation again, unless it is
     * stale.
     *
     * @param handles whether the message is handled then
     */
    private <V> CompletableFuture<V> runStep(boolean handles, Supplier<CompletableFuture<V>> step) {
        settling = true;
        handled = handles;
        try {
            return step.get().whenComplete((done, failure) -> {
                if (failure != null && !Failures.stale(failure)) {
                    settling = false;
                }
            });
        } catch (RuntimeException | Error failure) {
            settling = Failures.stale(failure);
            throw failure;
        }
    }

    public final CompletableFuture<Void> ack(Mode mode) {
        return runStep(true, () -> settle(core.acks, receipt, "ack", Counter.ACKED, mode));
    }

    public final CompletableFuture<Void> release(@Nullable Due due, Mode mode) {
        releasing(due);
        return runStep(
                false,
                () -> settle(
                                core.releases,
                                ReleaseRequest.Item.of(receipt, due, false),
                                "release",
                                Counter.RELEASED,
                                mode)
                        .thenRun(this::wentBack));
    }

    /** A retry is a release that counts the delivery. */
    private CompletableFuture<Void> retryAt(Due due) {
        return settle(
                        core.releases,
                        ReleaseRequest.Item.of(receipt, due, true),
                        "retry",
                        Counter.RETRIED,
                        Mode.INTERNAL)
                .thenRun(this::wentBack);
    }

    /**
     * Retries, or dead-letters after the last delivery.
     *
     * @param delay returns the delay after an attempt; the first attempt is 1
     * @param lastReason the reason that the dead letter keeps in {@link Headers#DL_REASON}
     * @param error the text that the dead letter keeps in {@link Headers#DL_ERROR}; null for none
     */
    public final CompletableFuture<RetryOutcome> retry(
            Function<Integer, Duration> delay, String lastReason, @Nullable String error) {
        return runStep(false, () -> retryOrDeadLetter(delay, lastReason, error));
    }

    private CompletableFuture<RetryOutcome> retryOrDeadLetter(
            Function<Integer, Duration> delay, String lastReason, @Nullable String error) {
        core.context.requireOpen(core.name);
        return message().thenCompose(message -> {
            int attempt = message.tries() + 1;
            String target = handle.settings.deadLetter().queue();
            if (attempt >= handle.settings.deadLetter().maxDeliveries() && !target.equals(core.name)) {
                return DeadLetters.move(core, receipt, message, target, lastReason, error)
                        .thenApply(done -> RetryOutcome.DEAD_LETTERED);
            }
            return retryAt(Due.in(delay.apply(attempt).toMillis())).thenApply(done -> RetryOutcome.RETRIED);
        });
    }

    /** The delay of a retry without a delay of its own: that of the backoff. */
    Duration retryDelay(int attempt) {
        return handle.settings.retryDelay(attempt);
    }

    final CompletableFuture<RetryOutcome> retryWithBackoff(@Nullable Throwable error) {
        return retry(this::retryDelay, DeadLetters.LIMIT, error == null ? null : FailureText.of(error));
    }

    final CompletableFuture<RetryOutcome> retryAfter(Duration delay) {
        Durations.check(delay, "delay");
        return retry(attempt -> delay, DeadLetters.LIMIT, null);
    }

    /** As {@link #reject}, without waiting for the answer. */
    public final CompletableFuture<Void> startReject(String reason) {
        return runStep(false, () -> deadLetterOrRetry(reason));
    }

    private CompletableFuture<Void> deadLetterOrRetry(String reason) {
        core.context.requireOpen(core.name);
        String target = handle.settings.deadLetter().queue();
        if (target.equals(core.name)) {
            // Messages of the dead-letter queue are never dead-lettered.
            return retryWithBackoff(null).thenAccept(outcome -> {});
        }
        return message()
                .thenCompose(message -> DeadLetters.move(core, receipt, message, target, DeadLetters.REJECTED, reason));
    }

    final CompletableFuture<Void> extend(Duration lease, Mode mode) {
        long end =
                core.context.clock.nanos() + Durations.positive(lease, "lease").toNanos();
        core.context.requireOpen(core.name);
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(List.of(receipt), lease.toMillis());
        return settle(core.extensions, call, "extend", null, mode).thenRun(() -> extended(end, lease));
    }

    /**
     * Moves the message to another queue.
     *
     * @param change what the move changes in the message
     */
    public final CompletableFuture<Void> move(MoveItem.Builder change, String queue) {
        return runStep(true, () -> changeAndMove(change, queue));
    }

    private CompletableFuture<Void> changeAndMove(MoveItem.Builder change, String queue) {
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

    private CompletableFuture<Void> move(String queue) {
        return move(MoveItem.builder().due(Due.now()).addHeaders(Headers.empty()), queue);
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
        handle.await("reject", startReject(reason));
    }

    @Override
    public void extend(Duration lease) {
        extend(lease, Mode.WAIT);
    }

    @Override
    public void moveTo(String queue) {
        handle.await("moveTo", move(queue));
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
        return handle.forUser(() -> startReject(reason));
    }

    @Override
    public CompletableFuture<Void> extendAsync(Duration lease) {
        return handle.forUser(() -> extend(lease, Mode.ASYNC));
    }

    @Override
    public CompletableFuture<Void> moveToAsync(String queue) {
        return handle.forUser(() -> move(queue));
    }

    @Override
    public String toString() {
        return "lease of message " + receipt.id() + " in queue '" + core.name + "'";
    }
}
