package dev.jono.cli;

import dev.jono.Lease;
import dev.jono.RetryOutcome;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The ways to end a reservation. */
enum Settlement {
    ACK,
    RETRY,
    RELEASE,
    REJECT,
    HOLD;

    /** Whether it can have a delay. */
    boolean takesDelay() {
        return this == RETRY || this == RELEASE;
    }

    /** Whether the message returns to its queue, where this command could take it again. */
    boolean givesBack() {
        return takesDelay();
    }

    void check(@Nullable Duration delay) {
        if (delay != null && !takesDelay()) {
            throw CliException.usage("--delay is allowed with retry and release only, not with " + this);
        }
    }

    /**
     * Ends a reservation. The future returns the result in one word.
     *
     * @param reason for a reject
     */
    CompletableFuture<String> settle(Lease lease, @Nullable Duration delay, String reason) {
        return switch (this) {
            case ACK -> lease.ackAsync().thenApply(done -> "acked");
            case RETRY -> (delay == null ? lease.retryAsync() : lease.retryAsync(delay)).thenApply(Settlement::word);
            // Without a delay the message returns to its old place. An explicit delay of 0 makes it due now.
            case RELEASE ->
                (delay == null ? CompletableFuture.runAsync(lease::release) : lease.releaseAsync(delay))
                        .thenApply(done -> "released");
            case REJECT -> lease.rejectAsync(reason).thenApply(done -> "dead-lettered");
            case HOLD -> CompletableFuture.completedFuture("held");
        };
    }

    private static String word(RetryOutcome outcome) {
        return outcome == RetryOutcome.DEAD_LETTERED ? "dead-lettered" : "retried";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
