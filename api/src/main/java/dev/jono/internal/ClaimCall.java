package dev.jono.internal;

import dev.jono.JonoClock;
import dev.jono.OutcomeUnknownException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One claim or take on its way. The answer, the time limit or a failure ends it, whichever comes first; an answer
 * after the end is still taken, and what it brings is given back.
 */
final class ClaimCall {
    private final QueueCore core;
    private final Context context;
    private final Intake intake;
    final Terms terms;
    final Map<Waiter, Integer> wants;
    final int max;
    /** Who came later has not been looked for. */
    final long lastArrival;

    private final String token;
    private final AtomicBoolean ended = new AtomicBoolean();
    final long sentNanos;
    private final RepeatPause pauses = new RepeatPause();
    private volatile boolean repeated;
    private volatile JonoClock.@Nullable Timer limit;

    ClaimCall(QueueCore core, Intake intake, Terms terms, Map<Waiter, Integer> wants, int max, long lastArrival) {
        this.core = core;
        this.context = core.context;
        this.intake = intake;
        this.token = context.tokens.next();
        this.sentNanos = context.clock.nanos();
        this.terms = terms;
        this.wants = wants;
        this.max = max;
        this.lastArrival = lastArrival;
    }

    void send() {
        CompletableFuture<ClaimResult> answer = call();
        if (!answer.isDone() && limit == null) {
            limit = context.clock.schedule(
                    core.timeout.toNanos(),
                    () -> fail(new OutcomeUnknownException(
                            "a claim of queue '" + core.name + "' was not answered in " + core.timeout
                                    + "; what it may yet bring is given back",
                            core.name,
                            null,
                            null)));
        }
        answer.whenComplete(this::land);
    }

    private CompletableFuture<ClaimResult> call() {
        ClaimRequest request = ClaimRequest.builder()
                .max(max)
                .leaseMillis(terms.leaseMillis())
                .isolateTries(terms.isolateTries())
                .isolateExpiredTries(terms.isolateExpiredTries())
                .consumer(terms.consumer())
                .token(token)
                .build();
        try {
            return (terms.reserves() ? core.store.claim(request) : core.store.take(request)).toCompletableFuture();
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void land(@Nullable ClaimResult result, @Nullable Throwable failure) {
        if (result != null) {
            if (ended.compareAndSet(false, true)) {
                stopLimit();
                intake.brought(this, result);
            } else if (!result.messages().isEmpty()) {
                core.giveBack(result.messages().stream()
                        .map(message -> new Delivered(message, terms, sentNanos))
                        .toList());
            }
        } else if (failure != null
                && Failures.worthRepeating(failure, repeated)
                && context.traits.repeatable()
                && !ended.get()
                && !context.closed()) {
            repeat(failure);
        } else {
            fail(failure == null ? new IllegalStateException("the backend answered null") : failure);
        }
    }

    /** Under the same token: what the lost reply held is found again. */
    private void repeat(Throwable failure) {
        repeated = true;
        long pause = pauses.take();
        if (pause == 0) {
            send();
        } else if (context.clock.nanos() + pause - sentNanos < core.timeout.toNanos()) {
            context.clock.schedule(pause, this::send);
        } else {
            fail(failure);
        }
    }

    private void stopLimit() {
        JonoClock.Timer running = limit;
        if (running != null) {
            running.cancel();
        }
    }

    private void fail(Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            stopLimit();
            intake.failed(
                    this,
                    repeated ? Failures.inDoubt(terms.reserves() ? "reserve" : "pop", core.name, failure) : failure);
        }
    }
}
