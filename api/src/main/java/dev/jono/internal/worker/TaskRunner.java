package dev.jono.internal.worker;

import dev.jono.Durations;
import dev.jono.Interceptor;
import dev.jono.RejectException;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import dev.jono.SnoozeException;
import dev.jono.StaleReservationException;
import dev.jono.UndecodableException;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.log.Log;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.settle.LeaseImpl;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import dev.jono.spi.OutageLog;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task: decodes its messages, calls the handler through the interceptors, and settles the messages that the handler
 * did not settle. {@link WorkerImpl} calls {@link #run} on the thread of the handler, and {@link #giveBack} and {@link
 * #release} also on the thread that stops the worker. Stateless except for the counts.
 */
final class TaskRunner {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final WorkerSettings settings;
    private final HandledCounts counts;
    private final PendingSettlements settlements;

    TaskRunner(EngineContext context, WorkerSettings settings, HandledCounts counts, PendingSettlements settlements) {
        this.context = context;
        this.settings = settings;
        this.counts = counts;
        this.settlements = settlements;
    }

    <T> void run(Task<T> task) {
        QueueImpl<T> queue = task.source.spec.queue();
        long now = context.clock.nanos();
        boolean mayRun = task.delivered.stream().noneMatch(message -> message.mayHaveExpired(now))
                && !task.source.consumers.watch().paused()
                && !context.closed();
        CompletableFuture<Void> decoding = mayRun ? task.begin(now) : null;
        if (decoding == null) {
            // A lease has perhaps ended, the queue is paused, or the factory closes: all messages are given back.
            giveBack(task);
            return;
        }
        List<ReservationImpl<T>> decoded;
        try {
            decoded = decode(task, queue);
            queue.handle.core.pendingCounts.add(Counter.RESERVED, decoded.size());
            if (!task.setReservations(decoded)) {
                settle(task, decoded, task.finish(), null);
                return;
            }
        } finally {
            decoding.complete(null);
        }
        Throwable failure = null;
        try {
            if (!decoded.isEmpty()) {
                handle(task, decoded);
            }
        } catch (Throwable thrown) {
            failure = thrown;
        }
        Task.End end = task.finish();
        settle(task, decoded, end, failure);
    }

    /** Gives back all messages of a task; does nothing if the task has begun. */
    <T> void giveBack(Task<T> task) {
        CompletableFuture<Void> settlement = task.tryBeginReturn();
        if (settlement != null) {
            completeWith(settlement, startSafely(() -> task.source.giveBack(task.delivered)));
        }
    }

    private static void completeWith(CompletableFuture<Void> settlement, CompletableFuture<?> stored) {
        stored.whenComplete((done, failure) -> complete(settlement, failure));
    }

    private static void complete(CompletableFuture<Void> settlement, @Nullable Throwable failure) {
        if (failure == null) {
            settlement.complete(null);
        } else {
            settlement.completeExceptionally(failure);
        }
    }

    private <T> List<ReservationImpl<T>> decode(Task<T> task, QueueImpl<T> queue) {
        List<ReservationImpl<T>> decoded = new ArrayList<>(task.size());
        for (HeldMessage delivered : task.delivered) {
            try {
                decoded.add(new ReservationImpl<>(
                        queue.handle, delivered, queue.coder.decode(delivered.message), task.source.delays));
            } catch (UndecodableException failure) {
                counts.count(false);
                StoredMessage message = delivered.message;
                String deadLetters = queue.handle.settings.deadLetter().queue();
                settlements.add(logOutcome(
                        startSafely(() -> queue.reserves
                                .settleUndecodable(delivered, failure)
                                .thenApply(outcome -> next(outcome, "after the queue's backoff", deadLetters))),
                        next -> warn(queue.name(), message.id(), message.tries() + 1, failure, next)));
            }
        }
        return decoded;
    }

    private <T> void handle(Task<T> task, List<ReservationImpl<T>> decoded) throws Exception {
        List<Reservation<T>> batch = List.copyOf(decoded);
        Interceptor.Handling handling = () -> task.source.spec.handler().handle(batch);
        for (int i = context.interceptors.size() - 1; i >= 0; i--) {
            Interceptor interceptor = context.interceptors.get(i);
            Interceptor.Handling inner = handling;
            handling = () -> interceptor.handleAll(batch, inner);
        }
        handling.proceed();
    }

    private <T> void settle(Task<T> task, List<ReservationImpl<T>> decoded, Task.End end, @Nullable Throwable failure) {
        String queue = task.source.queueName();
        if (decoded.isEmpty()) {
            return;
        }
        boolean succeeded = failure == null && end == Task.End.NONE;
        Throwable error = error(end, failure);
        if (error != null) {
            LOG.debug("worker '{}': a handler for queue '{}' failed", settings.name(), queue, failure);
        }
        boolean logged = false;
        for (ReservationImpl<T> reservation : decoded) {
            CompletableFuture<Void> settlement = task.tryBeginSettlement(reservation);
            if (settlement == null) {
                counts.count(succeeded && reservation.isHandled() && !reservation.delivered.isStale());
            } else if (error != null) {
                counts.count(false);
                completeWith(settlement, settleFailed(reservation, error));
                logged = true;
            } else {
                logFailure(startSafely(() -> settle(reservation, end, failure)), "settle", reservation.id(), queue)
                        .whenComplete((done, refused) -> {
                            counts.count(succeeded && refused == null);
                            complete(settlement, refused);
                        });
            }
        }
        if (error != null && !logged) {
            warn(decoded.get(0), error, "the handler had settled it, or its reservation is stale");
        }
        if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
            // The message is being settled; the executor should see the error.
            throw fatal;
        }
    }

    /** The failure that a delivery counts as; null if it did not fail. */
    private @Nullable Throwable error(Task.End end, @Nullable Throwable failure) {
        return switch (end) {
            case NONE -> failure instanceof SnoozeException ? null : failure;
            case RUNTIME ->
                new InterruptedException("ran longer than " + Durations.format(settings.maxRuntime())
                        + (failure == null || failure instanceof InterruptedException
                                ? ""
                                : ", then failed: " + FailureText.of(failure)));
            case STALE, STOP -> null;
        };
    }

    /** Settles a message whose handler did not fail. */
    private static CompletableFuture<?> settle(
            ReservationImpl<?> reservation, Task.End end, @Nullable Throwable failure) {
        if (end == Task.End.STALE) {
            return CompletableFuture.completedFuture(null);
        }
        if (end == Task.End.STOP) {
            return reservation.release(null, LeaseImpl.Mode.INTERNAL);
        }
        return failure instanceof SnoozeException snooze
                ? reservation.release(Due.in(snooze.delay().toMillis()), LeaseImpl.Mode.INTERNAL)
                : reservation.ack(LeaseImpl.Mode.INTERNAL);
    }

    /** Releases the messages of a task that are not settled. Called when the worker does not wait for the handler any more. */
    <T> void release(Task<T> task) {
        giveBack(task);
        for (ReservationImpl<T> reservation : task.reservations()) {
            CompletableFuture<Void> settlement = task.tryBeginSettlement(reservation);
            if (settlement != null) {
                CompletableFuture<?> released = startSafely(() -> reservation.release(null, LeaseImpl.Mode.INTERNAL));
                completeWith(settlement, logFailure(released, "release", reservation.id(), reservation.queue()));
            }
        }
    }

    /** Settles a delivery that failed, and logs one line when the outcome is known. */
    private CompletableFuture<String> settleFailed(ReservationImpl<?> reservation, Throwable failure) {
        String deadLetters = reservation.handle.settings.deadLetter().queue();
        AtomicReference<Duration> retryDelay = new AtomicReference<>(Duration.ZERO);
        CompletableFuture<String> settled;
        if (failure instanceof RejectException reject) {
            settled = startSafely(() -> reservation.startReject(FailureText.message(reject)))
                    .thenApply(done -> deadLetters.equals(reservation.queue())
                            ? next(RetryOutcome.RETRIED, "after the queue's backoff", deadLetters)
                            : next(RetryOutcome.DEAD_LETTERED, "", deadLetters));
        } else {
            settled = startSafely(() -> reservation.retry(
                            attempt -> {
                                Duration delay = reservation.retryDelay(attempt);
                                retryDelay.set(delay);
                                return delay;
                            },
                            DeadLetters.LIMIT,
                            FailureText.of(failure)))
                    .thenApply(outcome -> next(
                            outcome, "in " + Durations.format(Objects.requireNonNull(retryDelay.get())), deadLetters));
        }
        return logOutcome(settled, next -> warn(reservation, failure, next));
    }

    /** What a log line says about a message after its delivery has failed. */
    private static String next(@Nullable Object outcome, String when, String deadLetters) {
        return outcome == RetryOutcome.DEAD_LETTERED
                ? "it is in the dead-letter queue '" + deadLetters + "'"
                : "it is tried again " + when;
    }

    private static CompletableFuture<String> logOutcome(CompletableFuture<String> settled, Consumer<String> line) {
        return settled.whenComplete((next, failure) -> line.accept(
                failure == null
                        ? next
                        : "it could not be settled, and returns after its lease ("
                                + FailureText.of(Completions.unwrap(failure)) + ")"));
    }

    private void warn(ReservationImpl<?> reservation, Throwable failure, String next) {
        warn(reservation.queue(), reservation.id(), reservation.attempt(), failure, next);
    }

    /** Logs one line without a stack, because a failure often repeats with each message. */
    private void warn(String queue, String id, int attempt, Throwable failure, String next) {
        String what = FailureText.of(failure).replaceAll("\\s*\\R\\s*", " ");
        LOG.warn(
                "worker '{}': {} failed at attempt {}: {}; {}",
                settings.name(),
                settings.messageNames().apply(queue, id),
                attempt,
                what,
                next);
    }

    /** Starts a step. An exception fails the returned future, so that the other messages of the task are settled too. */
    private static <V> CompletableFuture<V> startSafely(Supplier<CompletableFuture<V>> step) {
        try {
            return step.get();
        } catch (Throwable refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private <V> CompletableFuture<V> logFailure(CompletableFuture<V> settled, String step, String id, String queue) {
        return settled.whenComplete((done, failure) -> {
            if (failure == null) {
                return;
            }
            Throwable cause = Completions.unwrap(failure);
            if (cause instanceof StaleReservationException) {
                LOG.warn(
                        "worker '{}': {} of message {} of queue '{}' failed: {}",
                        settings.name(),
                        step,
                        id,
                        queue,
                        OutageLog.reason(cause));
            } else {
                LOG.outage(
                        context.outages,
                        cause,
                        "worker '{}': {} of message {} of queue '{}' failed; the message returns after its lease",
                        settings.name(),
                        step,
                        id,
                        queue);
            }
        });
    }
}
