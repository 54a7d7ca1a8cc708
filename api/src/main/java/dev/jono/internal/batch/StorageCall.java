package dev.jono.internal.batch;

import dev.jono.Durations;
import dev.jono.JonoClock;
import dev.jono.OutcomeUnknownException;
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
 * One call that changes the storage. The answer, a failure or the time limit ends it, whichever comes first. A call whose
 * reply is lost is repeated under the same token, so that it takes effect once: the first time at once, because the next
 * connection is new; then with a growing pause, until the time limit. A call that {@link #persists} continues after it.
 *
 * Started on any thread; its results are reported on the threads of the storage and of the clock.
 *
 * @param <R> the storage's answer
 */
public abstract class StorageCall<R> {
    private static final Log LOG = Log.named("dev.jono");
    private static final long FIRST_PAUSE_NANOS = 20_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

    public final EngineContext context;
    public final String queue;
    public final long sentNanos;
    public final String step;
    private final String token;
    private final long timeoutNanos;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile long deadlineNanos;
    private volatile long pauseNanos;
    /** Whether a timer is set. The field of the timer does not say so: the timer may fire before it is stored there. */
    private final AtomicBoolean limited = new AtomicBoolean();

    private volatile JonoClock.@Nullable Timer limit;

    public StorageCall(QueueScope scope, String step) {
        this(scope.context(), scope.name(), step, scope.timeout());
    }

    StorageCall(EngineContext context, String queue, String step, Duration timeout) {
        this.context = context;
        this.queue = queue;
        this.step = step;
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
     * @param tooLate gets an answer that came after the time limit
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

    /** The storage answered. */
    protected abstract void answered(R answer, boolean repeated);

    /** The call failed, or its outcome stays unknown. */
    protected abstract void failed(Throwable failure);

    /** An answer that came after the time limit. */
    protected void late(R answer) {}

    /**
     * Whether a new time limit begins when one ends: no caller waits that could be notified, and the call must be done.
     */
    boolean patient() {
        return false;
    }

    /** Whether the call is repeated until it is answered, because no other process can find what it may have done. */
    protected boolean persists() {
        return false;
    }

    /**
     * Called when a call that {@link #persists} was not answered within its time limit, so that waiters can be notified.
     * Then another limit begins.
     */
    protected void overdue(Throwable failure) {}

    /** Whether repeating it still has a purpose. */
    protected boolean wanted() {
        return true;
    }

    public final void launch() {
        int attempt = attempts.incrementAndGet();
        CompletableFuture<R> answer = call();
        if (!answer.isDone() && limited.compareAndSet(false, true)) {
            limit = context.clock.schedule(Math.max(0, deadlineNanos - context.clock.nanos()), this::outOfTime);
        }
        answer.whenComplete((result, failure) -> land(attempt, result, failure));
    }

    private CompletableFuture<R> call() {
        try {
            return send(token).toCompletableFuture();
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void land(int attempt, @Nullable R result, @Nullable Throwable failure) {
        if (result != null) {
            if (end()) {
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
        long pause = pauseNanos;
        pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, pause * 2));
        if (ended.get() && !persists()) {
            return;
        }
        boolean over = !ended.get() && context.clock.nanos() + pause >= deadlineNanos && !patient();
        if (over && !persists()) {
            fail(failure);
            return;
        }
        if (over) {
            LOG.outage(
                    context.outages, failure, "{} on queue '{}' is not answered; asked again until it is", step, queue);
            deadlineNanos = context.clock.nanos() + timeoutNanos;
            overdue(Failures.inDoubt(step, queue, failure));
        }
        if (pause == 0) {
            launch();
        } else {
            context.clock.schedule(pause, this::launch);
        }
    }

    private void outOfTime() {
        if (ended.get()) {
            return;
        }
        long left = deadlineNanos - context.clock.nanos();
        if (left > 0) { // another limit has begun: see repeat
            limit = context.clock.schedule(left, this::outOfTime);
            return;
        }
        if (patient() && context.traits.repeatable()) {
            LOG.outage(context.outages, null, "{} on queue '{}' is not answered; sent again", step, queue);
            deadlineNanos = context.clock.nanos() + timeoutNanos;
            limited.set(false);
            launch();
        } else {
            fail(new OutcomeUnknownException(
                    step + " on queue '" + queue + "' was not answered in "
                            + Durations.format(Duration.ofNanos(timeoutNanos)) + "; it may yet be done",
                    queue,
                    null,
                    null));
        }
    }

    private void fail(Throwable failure) {
        if (end()) {
            failed(attempts.get() > 1 ? Failures.inDoubt(step, queue, failure) : failure);
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
