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
import dev.jono.internal.concurrent.Arguments;
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
 * The pops, or the reserves, of one {@link dev.jono.MessageQueue} object. Called on the threads of users, with no lock held. It
 * decodes messages on the thread of a blocking caller, or on the executor of the factory. Messages that cannot be decoded are
 * retried or dead-lettered. Messages that arrive after the caller has ended its wait are given back. Thread-safe.
 *
 * @param <T> the type of the payloads
 * @param <M> the type that callers get: a message or a reservation
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
    private final class DecodedMessages {
        final List<M> items = new ArrayList<>();

        /** The stored form of each item. */
        final List<HeldMessage> delivered = new ArrayList<>();

        /** The settlements of the messages that cannot be decoded. */
        final List<CompletableFuture<?>> settled = new ArrayList<>();

        /** Of the first message that cannot be decoded; null for none. */
        @Nullable UndecodableException failure;

        void count() {
            core.pendingCounts.add(counter, items.size());
        }

        void uncount() {
            core.pendingCounts.uncount(counter, items.size());
        }
    }

    List<M> receive(ClaimTerms terms, int max, Duration wait) throws InterruptedException {
        check(max, wait);
        long remainingNanos = wait.toNanos();
        long deadline = core.context.clock.nanos() + remainingNanos;
        while (true) {
            List<HeldMessage> received = await(terms, max, remainingNanos);
            if (received.isEmpty()) {
                return List.of();
            }
            DecodedMessages decoded = decode(received);
            awaitSettled(decoded);
            if (!decoded.items.isEmpty()) {
                decoded.count();
                return decoded.items;
            }
            if (decoded.failure != null) {
                throw decoded.failure;
            }
            // All leases have perhaps ended: the messages were given back, and the wait continues.
            remainingNanos = Math.max(0, deadline - core.context.clock.nanos());
        }
    }

    /** Waits until the messages that cannot be decoded are settled. A failure must not affect the other messages. */
    private void awaitSettled(DecodedMessages decoded) {
        for (CompletableFuture<?> settled : decoded.settled) {
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
        CallWaiter waiter = start(terms, max, waitNanos, /* hasBlockedThread= */ true);
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

    private CallWaiter start(ClaimTerms terms, int max, long waitNanos, boolean hasBlockedThread) {
        boolean oneShot = waitNanos <= 0;
        CallWaiter waiter = new CallWaiter(
                handle,
                core.consumers,
                core.name,
                terms,
                max,
                oneShot,
                hasBlockedThread,
                oneShot ? handle.settings.operationTimeout().toNanos() : waitNanos);
        try {
            waiter.start();
        } catch (RuntimeException | Error failed) {
            // The caller gets the exception, so messages that the waiter has accepted are given back.
            if (!waiter.cancel()) {
                waiter.result.thenAccept(this::giveBack);
            }
            throw failed;
        }
        if (handle.drained() || core.context.closed()) {
            // A drain or close that began before the waiter was in the line has not ended it.
            waiter.cancel();
            core.consumers.stayActive();
        }
        return waiter;
    }

    <V> CompletableFuture<V> receiveAsync(ClaimTerms terms, int max, Duration wait, Function<List<M>, V> shape) {
        check(max, wait);
        WaitFuture<M, V> future = new WaitFuture<>(terms, max, core.context.clock.nanos() + wait.toNanos(), shape);
        attempt(future, wait.toNanos());
        return future;
    }

    private void attempt(WaitFuture<M, ?> future, long waitNanos) {
        CallWaiter waiter;
        try {
            handle.requireUsable();
            waiter = start(future.terms, future.max, waitNanos, /* hasBlockedThread= */ false);
        } catch (JonoException refused) {
            UserFutures.fail(future, refused);
            return;
        }
        future.setWaiter(waiter);
        waiter.result.whenComplete((received, failure) -> {
            if (failure != null || !received.isEmpty() || !future.isDone()) {
                core.context.callbacks.run(() -> finish(future, received, failure));
            }
        });
    }

    private void finish(WaitFuture<M, ?> future, @Nullable List<HeldMessage> received, @Nullable Throwable failure) {
        if (received == null) {
            UserFutures.fail(
                    future, failure == null ? new IllegalStateException("no answer") : Completions.unwrap(failure));
            return;
        }
        if (future.isDone()) {
            giveBack(received);
            return;
        }
        DecodedMessages decoded = decode(received);
        long remainingNanos = future.deadlineNanos - core.context.clock.nanos();
        if (!received.isEmpty() && decoded.items.isEmpty() && decoded.failure == null && remainingNanos > 0) {
            // All leases have perhaps ended: the messages were given back, and the wait continues.
            attempt(future, remainingNanos);
            return;
        }
        CompletableFuture.allOf(decoded.settled.toArray(CompletableFuture[]::new))
                .whenComplete((done, late) -> {
                    UndecodableException undecodable = decoded.failure;
                    if (decoded.items.isEmpty() && undecodable != null) {
                        core.context.callbacks.run(() -> UserFutures.fail(future, undecodable));
                    } else if (decoded.settled.isEmpty()) {
                        deliver(future, decoded);
                    } else {
                        core.context.callbacks.run(() -> deliver(future, decoded));
                    }
                });
    }

    private void deliver(WaitFuture<M, ?> future, DecodedMessages decoded) {
        decoded.count(); // first, because the caller can close the factory as soon as it has the messages
        if (!future.handOver(decoded.items)) {
            decoded.uncount();
            giveBack(decoded.delivered);
        }
    }

    private void giveBack(List<HeldMessage> messages) {
        if (!messages.isEmpty()) {
            core.giveBack.give(messages);
        }
    }

    private void check(int max, Duration wait) {
        Arguments.atLeast(1, max, "number of messages to take from queue '" + core.name + "'");
        Durations.check(wait, "wait");
    }

    /** Decodes messages; gives back those whose lease has perhaps ended, and settles those that cannot be decoded. */
    private DecodedMessages decode(List<HeldMessage> received) {
        DecodedMessages decoded = new DecodedMessages();
        List<HeldMessage> expired = new ArrayList<>();
        for (HeldMessage delivered : received) {
            if (delivered.mayHaveExpired(core.context.clock.nanos())) {
                expired.add(delivered);
                continue;
            }
            try {
                M item = wrap.apply(delivered, coder.decode(delivered.message));
                decoded.items.add(item);
                decoded.delivered.add(delivered);
            } catch (UndecodableException failure) {
                decoded.failure = decoded.failure == null ? failure : decoded.failure;
                decoded.settled.add(settleUndecodable(delivered, failure));
            }
        }
        giveBack(expired);
        return decoded;
    }

    /** Retries a message that cannot be decoded, after the backoff and counted; dead-letters it after its last delivery. */
    public CompletableFuture<?> settleUndecodable(HeldMessage delivered, UndecodableException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (delivered.terms.reserves()) {
            return new ReservationImpl<>(handle, delivered, "undecodable", null)
                    .retry(handle.settings::retryDelay, DeadLetters.UNDECODABLE, FailureText.of(cause));
        }
        StoredMessage message = delivered.message;
        String deadLetters = handle.settings.deadLetter().queue();
        boolean last = message.tries() + 1 >= handle.settings.deadLetter().maxDeliveries();
        if (deadLetters.equals(core.name) || (core.context.can(Capability.RESERVE) && !last)) {
            long delay = handle.settings.retryDelay(message.tries() + 1).toMillis();
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
                    InsertLane.Insert call = InsertLane.Insert.internal(raw);
                    call.patient = true;
                    core.others.apply(deadLetters).ordered.submitInternal(call);
                    return call.allStored();
                })
                .thenRun(() -> core.pendingCounts.add(Counter.DEAD_LETTERED, 1));
    }

    /**
     * The future of one call. To cancel it ends the wait.
     *
     * @param <V> the type of the result, which {@code shape} makes from the items
     */
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

        void setWaiter(CallWaiter current) {
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
