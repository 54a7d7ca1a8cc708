package dev.jono.internal;

import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.RejectException;
import dev.jono.Reservation;
import dev.jono.SnoozeException;
import dev.jono.StaleReservationException;
import dev.jono.UndecodableException;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task: decodes, calls the handler through the interceptors, and settles what the handler did not. */
final class TaskRunner {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.worker");

    private final WorkerImpl worker;
    private final Context context;

    TaskRunner(WorkerImpl worker) {
        this.worker = worker;
        this.context = worker.context;
    }

    <T> void run(Task<T> task) {
        QueueImpl<T> queue = task.source.spec.queue();
        long now = context.clock.nanos();
        List<Delivered> late =
                task.delivered.stream().filter(d -> d.mayHaveExpired(now)).toList();
        if (!late.isEmpty() || task.source.intake.paused() || context.closed() || !task.begin(now)) {
            // A lease that may have ended, a pause or an end: not handed out, all of the task goes back.
            worker.settling(queue.handle.core.giveBack(task.delivered));
            return;
        }
        List<ReservationImpl<T>> decoded = decode(task, queue);
        task.hold(decoded);
        queue.handle.core.counters.add(Counter.RESERVED, decoded.size());
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

    private <T> List<ReservationImpl<T>> decode(Task<T> task, QueueImpl<T> queue) {
        List<ReservationImpl<T>> decoded = new ArrayList<>(task.size());
        for (Delivered delivered : task.delivered) {
            try {
                decoded.add(new ReservationImpl<>(queue.handle, delivered, queue.coder.decode(delivered.message)));
            } catch (UndecodableException failure) {
                LOG.warn("worker '{}': {}", worker.limits.name(), failure.getMessage());
                worker.count(false, 1);
                logged(
                        started(() -> queue.reserver.undecodable(delivered, failure)),
                        "retry",
                        delivered.message.id(),
                        queue.name());
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
        String queue = task.source.spec.queue().name();
        if (decoded.isEmpty()) {
            return;
        }
        worker.count(failure == null && end == Task.End.NONE, decoded.size());
        if (failure != null && !(failure instanceof SnoozeException) && end == Task.End.NONE) {
            LOG.warn(
                    "worker '{}': handler failed on message {} of queue '{}'",
                    worker.limits.name(),
                    decoded.get(0).id(),
                    queue,
                    failure);
        }
        for (ReservationImpl<T> reservation : decoded) {
            if (!reservation.isSettled() && !reservation.delivered.lost()) {
                logged(started(() -> settle(reservation, end, failure)), "settle", reservation.id(), queue);
            }
        }
        if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
            // The message is dealt with; the error is for the thread's owner to see.
            throw fatal;
        }
    }

    private CompletableFuture<?> settle(ReservationImpl<?> reservation, Task.End end, @Nullable Throwable failure) {
        return switch (end) {
            case LOST -> CompletableFuture.completedFuture(null);
            case STOP -> reservation.release(null, LeaseImpl.Mode.INTERNAL);
            case RUNTIME ->
                reservation.retryWithBackoff(
                        failure == null
                                ? new InterruptedException("ran longer than " + worker.limits.maxRuntime())
                                : failure);
            case NONE -> outcome(reservation, failure);
        };
    }

    private static CompletableFuture<?> outcome(ReservationImpl<?> reservation, @Nullable Throwable failure) {
        if (failure == null) {
            return reservation.ack(LeaseImpl.Mode.INTERNAL);
        }
        if (failure instanceof RejectException reject) {
            return reservation.giveUp(String.valueOf(reject.getMessage()));
        }
        if (failure instanceof SnoozeException snooze) {
            return reservation.release(Due.in(snooze.delay().toMillis()), LeaseImpl.Mode.INTERNAL);
        }
        return reservation.retryWithBackoff(failure);
    }

    /** Releases what a task still holds, when the worker is forced to stop. */
    <T> void release(Task<T> task) {
        for (ReservationImpl<T> reservation : task.unsettled()) {
            logged(
                    started(() -> reservation.release(null, LeaseImpl.Mode.INTERNAL)),
                    "release",
                    reservation.id(),
                    reservation.queue());
        }
    }

    /** What cannot even begin, because the factory was closed meanwhile, fails like what does not end well. */
    private static CompletableFuture<?> started(Supplier<CompletableFuture<?>> step) {
        try {
            return step.get();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void logged(CompletableFuture<?> settled, String step, String id, String queue) {
        worker.settling(settled);
        settled.whenComplete((done, failure) -> {
            if (failure == null) {
                return;
            }
            Throwable cause = Failures.unwrap(failure);
            if (cause instanceof StaleReservationException) {
                LOG.warn("worker '{}': {}", worker.limits.name(), cause.getMessage());
            } else {
                LOG.warn(
                        "worker '{}': {} of message {} of queue '{}' failed; it returns after its lease",
                        worker.limits.name(),
                        step,
                        id,
                        queue,
                        cause);
            }
        });
    }
}
