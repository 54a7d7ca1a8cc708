package dev.jono.internal.queue;

import dev.jono.Capability;
import dev.jono.Durations;
import dev.jono.Headers;
import dev.jono.JonoException;
import dev.jono.UndecodableException;
import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.claim.CallWaiter;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.concurrent.UserFutures;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.log.Log;
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pops and reserves of one {@link dev.jono.MessageQueue} object. Messages are decoded on the thread of the caller.
 * Those that cannot be decoded are retried or dead-lettered; those that come for a caller that has left are given back.
 *
 * @param <T> the type of the payloads
 * @param <M> the type that is handed out
 */
public final class Receiver<T, M> {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueHandle handle;
    private final QueueCore core;
    private final PayloadCoder<T> coder;
    private final Counter counter;
    private final BiFunction<HeldMessage, T, M> wrap;

    Receiver(QueueHandle handle, PayloadCoder<T> coder, Counter counter, BiFunction<HeldMessage, T, M> wrap) {
        this.handle = handle;
        this.core = handle.core;
        this.coder = coder;
        this.counter = counter;
        this.wrap = wrap;
    }

    /** The results of decoding some messages. */
    private final class HandOut {
        final List<M> items = new ArrayList<>();
        final List<HeldMessage> delivered = new ArrayList<>();
        final List<CompletableFuture<?>> settled = new ArrayList<>();

        @Nullable UndecodableException failure;

        void counted() {
            core.pendingCounts.add(counter, items.size());
        }

        void notCounted() {
            core.pendingCounts.takeBack(counter, items.size());
        }
    }

    List<M> take(ClaimTerms terms, int max, Duration wait) throws InterruptedException {
        check(max, wait);
        long left = wait.toNanos();
        long deadline = core.context.clock.nanos() + left;
        while (true) {
            List<HeldMessage> got = await(terms, max, left);
            if (got.isEmpty()) {
                return List.of();
            }
            HandOut out = handOut(got);
            awaitSettled(out);
            if (!out.items.isEmpty()) {
                out.counted();
                return out.items;
            }
            if (out.failure != null) {
                throw out.failure;
            }
            // All leases may have ended on the way here: they went back, and the wait goes on.
            left = Math.max(0, deadline - core.context.clock.nanos());
        }
    }

    /** Waits until the messages that cannot be decoded are stored again; a failure of that must not affect the others. */
    private void awaitSettled(HandOut out) {
        for (CompletableFuture<?> settled : out.settled) {
            try {
                handle.await("retry", settled);
            } catch (RuntimeException failure) {
                LOG.outage(
                        core.context.outages,
                        failure,
                        "an undecodable message of queue '{}' could not be retried or dead-lettered",
                        core.name);
            }
        }
    }

    private List<HeldMessage> await(ClaimTerms terms, int max, long waitNanos) throws InterruptedException {
        handle.requireUsable();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CallWaiter waiter = start(terms, max, waitNanos, true);
        core.context.spin.begin(waiter.result);
        try {
            return waiter.result.get();
        } catch (InterruptedException e) {
            if (!waiter.cancel()) {
                waiter.result.thenAccept(this::giveBack);
            }
            throw e;
        } catch (ExecutionException e) {
            throw Completions.toThrow(e);
        } finally {
            core.context.spin.end();
        }
    }

    private CallWaiter start(ClaimTerms terms, int max, long waitNanos, boolean blocks) {
        boolean once = waitNanos <= 0;
        CallWaiter waiter = new CallWaiter(
                handle,
                core.consumers,
                core.name,
                terms,
                max,
                once,
                blocks,
                once ? handle.settings.operationTimeout().toNanos() : waitNanos);
        try {
            waiter.start();
        } catch (RuntimeException | Error failed) {
            // No caller will read what it is given.
            if (!waiter.cancel()) {
                waiter.result.thenAccept(this::giveBack);
            }
            throw failed;
        }
        if (handle.drained() || core.context.closed()) {
            // A drain or close since this wait began may not have seen it.
            waiter.cancel();
            core.consumers.stayActive();
        }
        return waiter;
    }

    <V> CompletableFuture<V> takeAsync(ClaimTerms terms, int max, Duration wait, Function<List<M>, V> shape) {
        check(max, wait);
        WaitFuture<M, V> future = new WaitFuture<>(terms, max, core.context.clock.nanos() + wait.toNanos(), shape);
        attempt(future, wait.toNanos());
        return future;
    }

    private void attempt(WaitFuture<M, ?> future, long waitNanos) {
        CallWaiter waiter;
        try {
            handle.requireUsable();
            waiter = start(future.terms, future.max, waitNanos, false);
        } catch (JonoException refused) {
            UserFutures.fail(future, refused);
            return;
        }
        future.waitsWith(waiter);
        waiter.result.whenComplete((got, failure) -> {
            if (failure != null || !got.isEmpty() || !future.isDone()) {
                core.context.runForUser(() -> finish(future, got, failure));
            }
        });
    }

    private void finish(WaitFuture<M, ?> future, @Nullable List<HeldMessage> got, @Nullable Throwable failure) {
        if (got == null) {
            UserFutures.fail(
                    future, failure == null ? new IllegalStateException("no answer") : Completions.unwrap(failure));
            return;
        }
        if (future.isDone()) {
            giveBack(got);
            return;
        }
        HandOut out = handOut(got);
        long left = future.deadlineNanos - core.context.clock.nanos();
        if (!got.isEmpty() && out.items.isEmpty() && out.failure == null && left > 0) {
            // All leases may have ended on the way here: they went back, and the wait goes on.
            attempt(future, left);
            return;
        }
        CompletableFuture.allOf(out.settled.toArray(CompletableFuture[]::new)).whenComplete((done, late) -> {
            UndecodableException undecodable = out.failure;
            if (out.items.isEmpty() && undecodable != null) {
                core.context.runForUser(() -> UserFutures.fail(future, undecodable));
            } else if (out.settled.isEmpty()) {
                deliver(future, out);
            } else {
                core.context.runForUser(() -> deliver(future, out));
            }
        });
    }

    private void deliver(WaitFuture<M, ?> future, HandOut out) {
        out.counted(); // before anybody is told: who is told may close the factory
        if (!future.handOver(out.items)) {
            out.notCounted();
            giveBack(out.delivered);
        }
    }

    private void giveBack(List<HeldMessage> messages) {
        if (!messages.isEmpty()) {
            core.giveBack.give(messages);
        }
    }

    private void check(int max, Duration wait) {
        if (max < 1) {
            throw new IllegalArgumentException(
                    "number of messages to take from queue '" + core.name + "' must be at least 1: " + max);
        }
        Durations.check(wait, "wait");
    }

    private HandOut handOut(List<HeldMessage> got) {
        HandOut out = new HandOut();
        List<HeldMessage> expired = new ArrayList<>();
        for (HeldMessage delivered : got) {
            if (delivered.mayHaveExpired(core.context.clock.nanos())) {
                expired.add(delivered);
                continue;
            }
            try {
                M item = wrap.apply(delivered, coder.decode(delivered.message));
                out.items.add(item);
                out.delivered.add(delivered);
            } catch (UndecodableException failure) {
                out.failure = out.failure == null ? failure : out.failure;
                out.settled.add(undecodable(delivered, failure));
            }
        }
        giveBack(expired);
        return out;
    }

    /** Treats a message that cannot be decoded: a counted retry with a growing delay, or the dead-letter queue. */
    public CompletableFuture<?> undecodable(HeldMessage delivered, UndecodableException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (delivered.terms.reserves()) {
            return new ReservationImpl<>(handle, delivered, "undecodable")
                    .retry(handle.settings::pause, DeadLetters.UNDECODABLE, FailureText.of(cause));
        }
        StoredMessage message = delivered.message;
        String deadLetters = handle.settings.deadLetter().queue();
        boolean last = message.tries() + 1 >= handle.settings.deadLetter().maxDeliveries();
        if (deadLetters.equals(core.name) || (core.context.can(Capability.RESERVE) && !last)) {
            long delay = handle.settings.pause(message.tries() + 1).toMillis();
            return core.giveBack.restore(
                    List.of(message.with(core.context.storageClock.nowMillis() + delay, message.tries() + 1)));
        }
        Headers why = DeadLetters.headers(
                core.context, core.name, message.tries(), DeadLetters.UNDECODABLE, FailureText.of(cause));
        NewMessage raw = NewMessage.builder()
                .id(message.id())
                .payload(message.payload())
                .headers(message.headers().merged(Headers.DEAD_LETTER, why))
                .due(Due.now())
                .build();
        return core.unfinished
                .persistently("dead letter", () -> {
                    InsertLane.Insert call = InsertLane.Insert.own(raw);
                    call.patient = true;
                    core.others.apply(deadLetters).ordered.submitInternal(call);
                    return call.stored();
                })
                .thenRun(() -> core.pendingCounts.add(Counter.DEAD_LETTERED, 1));
    }

    /** A future whose cancel ends the wait. */
    private static final class WaitFuture<M, V> extends CompletableFuture<V> {
        private final ClaimTerms terms;
        private final int max;
        private final long deadlineNanos;
        private final Function<List<M>, V> shape;
        private volatile @Nullable CallWaiter waiter;

        WaitFuture(ClaimTerms terms, int max, long deadlineNanos, Function<List<M>, V> shape) {
            this.terms = terms;
            this.max = max;
            this.deadlineNanos = deadlineNanos;
            this.shape = shape;
        }

        void waitsWith(CallWaiter current) {
            waiter = current;
            if (isCancelled()) {
                current.cancel();
            }
        }

        boolean handOver(List<M> items) {
            return UserFutures.complete(this, shape.apply(items));
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CallWaiter current = waiter;
            if (cancelled && current != null) {
                current.cancel();
            }
            return cancelled;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
