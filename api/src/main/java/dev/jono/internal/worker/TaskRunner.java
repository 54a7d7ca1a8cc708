package dev.jono.internal.worker;

import dev.jono.Durations;
import dev.jono.Interceptor;
import dev.jono.Message;
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
 * did not. Runs on the thread of the handler.
 */
final class TaskRunner {
    private static final Log LOG = Log.named("dev.jono.worker");

    private final EngineContext context;
    private final WorkerLimits limits;
    private final HandledCounts counts;
    private final PendingSettlements settlements;

    TaskRunner(EngineContext context, WorkerLimits limits, HandledCounts counts, PendingSettlements settlements) {
        this.context = context;
        this.limits = limits;
        this.counts = counts;
        this.settlements = settlements;
    }

    <T> void run(Task<T> task) {
        QueueImpl<T> queue = task.source.spec.queue();
        long now = context.clock.nanos();
        List<HeldMessage> late =
                task.delivered.stream().filter(d -> d.mayHaveExpired(now)).toList();
        boolean may = late.isEmpty() && !task.source.consumers.watch().paused() && !context.closed();
        CompletableFuture<Void> decoding = may ? task.begin(now) : null;
        if (decoding == null) {
            // A lease may have ended, the queue is paused, or the factory closes: the whole task goes back.
            giveBack(task);
            return;
        }
        List<ReservationImpl<T>> decoded;
        try {
            decoded = decode(task, queue);
            queue.handle.core.pendingCounts.add(Counter.RESERVED, decoded.size());
            if (!task.hold(decoded)) {
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

    /** Gives back a whole task that has not begun. */
    <T> void giveBack(Task<T> task) {
        CompletableFuture<Void> owed = task.claimReturn();
        if (owed != null) {
            completeWith(owed, startSafely(() -> task.source.giveBack(task.delivered)));
        }
    }

    private static void completeWith(CompletableFuture<Void> owed, CompletableFuture<?> stored) {
        stored.whenComplete((done, failure) -> end(owed, failure));
    }

    private static void end(CompletableFuture<Void> owed, @Nullable Throwable failure) {
        if (failure == null) {
            owed.complete(null);
        } else {
            owed.completeExceptionally(failure);
        }
    }

    private <T> List<ReservationImpl<T>> decode(Task<T> task, QueueImpl<T> queue) {
        List<ReservationImpl<T>> decoded = new ArrayList<>(task.size());
        for (HeldMessage delivered : task.delivered) {
            try {
                decoded.add(new ReservationImpl<>(
                        queue.handle, delivered, queue.coder.decode(delivered.message), task.source.holdBack));
            } catch (UndecodableException failure) {
                counts.count(false);
                StoredMessage message = delivered.message;
                String deadLetters = queue.handle.settings.deadLetter().queue();
                settlements.add(logOutcome(
                        startSafely(() -> queue.reserver
                                .undecodable(delivered, failure)
                                .thenApply(outcome -> next(outcome, "after the queue's backoff", deadLetters))),
                        next -> warn(queue.name(), message.id(), message.tries() + 1, failure, next)));
            }
        }
        return decoded;
    }

    private <T> void handle(Task<T> task, List<ReservationImpl<T>> decoded) throws Exception {
        List<Reservation<T>> batch = List.copyOf(decoded);
        Interceptor.Handling handling = () -> task.source.spec.handler().handle(batch);
        Message<?> first = batch.get(0);
        for (int i = context.interceptors.size() - 1; i >= 0; i--) {
            Interceptor interceptor = context.interceptors.get(i);
            Interceptor.Handling inner = handling;
            handling = () -> interceptor.handle(first, inner);
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
            LOG.debug("worker '{}': a handler for queue '{}' failed", limits.name(), queue, failure);
        }
        boolean told = false;
        for (ReservationImpl<T> reservation : decoded) {
            CompletableFuture<Void> owed = task.claimSettlement(reservation);
            if (owed == null) {
                counts.count(succeeded && !reservation.delivered.lost());
            } else if (error != null) {
                counts.count(false);
                completeWith(owed, failed(reservation, error));
                told = true;
            } else {
                logged(startSafely(() -> settle(reservation, end, failure)), "settle", reservation.id(), queue)
                        .whenComplete((done, refused) -> {
                            counts.count(succeeded && refused == null);
                            end(owed, refused);
                        });
            }
        }
        if (error != null && !told) {
            warn(decoded.get(0), error, "the handler had settled it, or its lease was lost");
        }
        if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
            // The message is settled; the owner of the thread should see the error.
            throw fatal;
        }
    }

    /** Why a delivery failed; null if it did not. */
    private @Nullable Throwable error(Task.End end, @Nullable Throwable failure) {
        return switch (end) {
            case NONE -> failure instanceof SnoozeException ? null : failure;
            case RUNTIME ->
                new InterruptedException("ran longer than " + Durations.format(limits.maxRuntime())
                        + (failure == null || failure instanceof InterruptedException
                                ? ""
                                : ", then failed: " + FailureText.of(failure)));
            case LOST, STOP -> null;
        };
    }

    /** Settles a message whose handler did not fail. */
    private static CompletableFuture<?> settle(
            ReservationImpl<?> reservation, Task.End end, @Nullable Throwable failure) {
        if (end == Task.End.LOST) {
            return CompletableFuture.completedFuture(null);
        }
        if (end == Task.End.STOP) {
            return reservation.release(null, LeaseImpl.Mode.INTERNAL);
        }
        return failure instanceof SnoozeException snooze
                ? reservation.release(Due.in(snooze.delay().toMillis()), LeaseImpl.Mode.INTERNAL)
                : reservation.ack(LeaseImpl.Mode.INTERNAL);
    }

    /** Releases the messages that a task still holds, when the worker is forced to stop. */
    <T> void release(Task<T> task) {
        giveBack(task);
        for (ReservationImpl<T> reservation : task.reservations()) {
            CompletableFuture<Void> owed = task.claimSettlement(reservation);
            if (owed != null) {
                CompletableFuture<?> released = startSafely(() -> reservation.release(null, LeaseImpl.Mode.INTERNAL));
                completeWith(owed, logged(released, "release", reservation.id(), reservation.queue()));
            }
        }
    }

    /** Settles a delivery that failed, and logs one line when it is known what comes next. */
    private CompletableFuture<String> failed(ReservationImpl<?> reservation, Throwable failure) {
        String deadLetters = reservation.handle.settings.deadLetter().queue();
        AtomicReference<Duration> pause = new AtomicReference<>(Duration.ZERO);
        CompletableFuture<String> settled;
        if (failure instanceof RejectException reject) {
            settled = startSafely(() -> reservation.giveUp(FailureText.message(reject)))
                    .thenApply(done -> deadLetters.equals(reservation.queue())
                            ? next(RetryOutcome.RETRIED, "after the queue's backoff", deadLetters)
                            : next(RetryOutcome.DEAD_LETTERED, "", deadLetters));
        } else {
            settled = startSafely(() -> reservation.retry(
                            attempt -> {
                                Duration delay = reservation.pause(attempt);
                                pause.set(delay);
                                return delay;
                            },
                            DeadLetters.LIMIT,
                            FailureText.of(failure)))
                    .thenApply(outcome ->
                            next(outcome, "in " + Durations.format(Objects.requireNonNull(pause.get())), deadLetters));
        }
        return logOutcome(settled, next -> warn(reservation, failure, next));
    }

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

    /** Logs one line without a stack: the same failure may come a thousand times. */
    private void warn(String queue, String id, int attempt, Throwable failure, String next) {
        String what = FailureText.of(failure).replaceAll("\\s*\\R\\s*", " ");
        LOG.warn(
                "worker '{}': message {} of queue '{}' failed at attempt {}: {}; {}",
                limits.name(),
                id,
                queue,
                attempt,
                what,
                next);
    }

    /** Starts a step; an exception fails its future, so that the other messages of the task get their turn. */
    private static <V> CompletableFuture<V> startSafely(Supplier<CompletableFuture<V>> step) {
        try {
            return step.get();
        } catch (Throwable refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private <V> CompletableFuture<V> logged(CompletableFuture<V> settled, String step, String id, String queue) {
        return settled.whenComplete((done, failure) -> {
            if (failure == null) {
                return;
            }
            Throwable cause = Completions.unwrap(failure);
            if (cause instanceof StaleReservationException) {
                LOG.warn(
                        "worker '{}': {} of message {} of queue '{}' failed: {}",
                        limits.name(),
                        step,
                        id,
                        queue,
                        OutageLog.reason(cause));
            } else {
                LOG.outage(
                        context.outages,
                        cause,
                        "worker '{}': {} of message {} of queue '{}' failed, it returns after its lease",
                        limits.name(),
                        step,
                        id,
                        queue);
            }
        });
    }
}
