package dev.jono.internal.batch;

import dev.jono.Durations;
import dev.jono.JonoClock;
import dev.jono.OutcomeUnknownException;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call that changes the storage. The answer, a failure or the time limit ends it, whichever comes first. If a reply is
 * lost, the call is repeated under the same token, so that it takes effect once. The first repetition follows at once, because
 * it uses a new connection. Further ones follow after growing delays, until the time limit. A call that {@link #persists} is
 * repeated after its time limit too.
 *
 * <p>Started on any thread; its results are reported on the threads of the storage and of the clock. Has no lock.
 *
 * @param <R> the storage's answer
 */
public abstract class StorageCall<R> {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_DELAY_NANOS = 20_000_000L;
    private static final long LONGEST_DELAY_NANOS = 1_000_000_000L;

    public final EngineContext context;
    public final String queue;

    /** When the call was created, by the monotonic clock. */
    public final long sentNanos;

    /** Names the call in log lines and exceptions. */
    public final String step;

    private final int messages;
    private final String token;
    private final long timeoutNanos;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile long deadlineNanos;
    private volatile long retryDelayNanos;
    /** Whether {@link #limit} is set or is being set: the timer can fire before it is stored there. */
    private final AtomicBoolean limited = new AtomicBoolean();

    private volatile JonoClock.@Nullable Timer limit;

    public StorageCall(QueueScope scope, String step) {
        this(scope.context(), scope.name(), step, scope.timeout(), 1);
    }

    StorageCall(EngineContext context, String queue, String step, Duration timeout, long messages) {
        this.context = context;
        this.queue = queue;
        this.step = step;
        this.messages = (int) messages;
        this.timeoutNanos = timeout.toNanos();
        this.token = context.tokens.next();
        this.sentNanos = context.clock.nanos();
        this.deadlineNanos = sentNanos + timeoutNanos;
    }

    /** Sends a call that belongs to no batch. */
    public static <R> CompletableFuture<R> single(
            QueueScope scope, String step, Function<String, CompletionStage<R>> call) {
        return single(scope, step, call, tooLate -> {});
    }

    /**
     * As {@link #single(QueueScope, String, Function)}.
     *
     * @param tooLate receives an answer that came after the time limit
     */
    public static <R> CompletableFuture<R> single(
            QueueScope scope, String step, Function<String, CompletionStage<R>> call, Consumer<R> tooLate) {
        CompletableFuture<R> done = new CompletableFuture<>();
        new StorageCall<R>(scope, step) {
            @Override
            protected CompletionStage<R> send(String token) {
                return call.apply(token);
            }

            @Override
            protected void answered(R answer, boolean repeated) {
                done.complete(answer);
            }

            @Override
            protected void late(R answer) {
                tooLate.accept(answer);
            }

            @Override
            protected void failed(Throwable failure) {
                done.completeExceptionally(Failures.fromStorage(step, queue, failure));
            }
        }.launch();
        return done;
    }

    /** Sends the call; the token is the same each time. */
    protected abstract CompletionStage<R> send(String token);

    /**
     * Called when the storage has answered within the time limit.
     *
     * @param repeated whether the call was sent more than once
     */
    protected abstract void answered(R answer, boolean repeated);

    /** Called when the call failed, or was not answered within the time limit. */
    protected abstract void failed(Throwable failure);

    /** Called when the storage has answered after the time limit. */
    protected void late(R answer) {}

    /**
     * Whether a new time limit begins when one ends, without a report: no caller waits, and the call must be done.
     */
    boolean patient() {
        return false;
    }

    /**
     * Whether the call is repeated until it is answered, although its callers get a failure at the time limit: what the call
     * has perhaps done, no other process can find.
     */
    protected boolean persists() {
        return false;
    }

    /** Called when a call that {@link #persists} was not answered within its time limit. Then another time limit begins. */
    protected void overdue(Throwable failure) {}

    /** Whether a repetition still has a purpose. */
    protected boolean wanted() {
        return true;
    }

    /**
     * The number of messages that the call is about, for listeners.
     *
     * @param answer the answer; null if the call has failed
     */
    protected int messages(@Nullable R answer) {
        return messages;
    }

    /** Sends the call. */
    public final void launch() {
        int attempt = attempts.incrementAndGet();
        CompletableFuture<R> answer = Completions.start(() -> send(token));
        if (!answer.isDone() && limited.compareAndSet(false, true)) {
            limit = context.clock.schedule(Math.max(0, deadlineNanos - context.clock.nanos()), this::outOfTime);
        }
        answer.whenComplete((result, failure) -> land(attempt, result, failure));
    }

    private void land(int attempt, @Nullable R result, @Nullable Throwable failure) {
        if (result != null) {
            if (end()) {
                report(result, null);
                answered(result, attempts.get() > 1);
            } else {
                late(result);
            }
        } else if (failure == null) {
            fail(new IllegalStateException("the backend answered null"));
        } else if (attempt == attempts.get()) {
            if (Failures.worthRepeating(failure, attempt > 1) && context.traits.repeatable() && wanted()) {
                repeat(failure);
            } else {
                fail(failure);
            }
        }
    }

    private void repeat(Throwable failure) {
        long delayNanos = retryDelayNanos;
        retryDelayNanos = Math.min(LONGEST_DELAY_NANOS, Math.max(FIRST_DELAY_NANOS, delayNanos * 2));
        if (ended.get() && !persists()) {
            return;
        }
        boolean outOfTime = !ended.get() && context.clock.nanos() + delayNanos >= deadlineNanos && !patient();
        if (outOfTime && !persists()) {
            fail(failure);
            return;
        }
        if (outOfTime) {
            LOG.outage(context.outages, failure, "{} on queue '{}' is not answered; repeated until it is", step, queue);
            deadlineNanos = context.clock.nanos() + timeoutNanos;
            overdue(Failures.ofRepeatedCall(step, queue, failure));
        }
        if (delayNanos == 0) {
            launch();
        } else {
            context.clock.schedule(delayNanos, this::launch);
        }
    }

    private void outOfTime() {
        if (ended.get()) {
            return;
        }
        long remainingNanos = deadlineNanos - context.clock.nanos();
        if (remainingNanos > 0) { // another time limit has begun: see repeat
            limit = context.clock.schedule(remainingNanos, this::outOfTime);
            return;
        }
        if (patient() && context.traits.repeatable()) {
            LOG.outage(context.outages, null, "{} on queue '{}' is not answered; repeated", step, queue);
            deadlineNanos = context.clock.nanos() + timeoutNanos;
            limited.set(false);
            launch();
        } else {
            fail(new OutcomeUnknownException(
                    step + " on queue '" + queue + "' was not answered in "
                            + Durations.format(Duration.ofNanos(timeoutNanos)) + "; the storage may still do it",
                    queue,
                    null,
                    null));
        }
    }

    private void fail(Throwable failure) {
        if (end()) {
            report(null, failure);
            failed(attempts.get() > 1 ? Failures.ofRepeatedCall(step, queue, failure) : failure);
        }
    }

    private void report(@Nullable R answer, @Nullable Throwable failure) {
        if (!context.listeners.isEmpty()) {
            context.listeners.storageCall(queue, step, messages(answer), context.clock.nanos() - sentNanos, failure);
        }
    }

    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        JonoClock.Timer running = limit;
        if (running != null) {
            running.cancel();
        }
        return true;
    }
}
