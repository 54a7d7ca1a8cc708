package dev.jono.cli;

import dev.jono.Lease;
import dev.jono.RetryOutcome;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How a reservation ends. */
enum Settlement {
    ACK,
    RETRY,
    RELEASE,
    REJECT,
    HOLD;

    /** Whether a delay makes sense with it. */
    boolean takesDelay() {
        return this == RETRY || this == RELEASE;
    }

    /** Whether the message goes back to its queue, where it may be met again. */
    boolean givesBack() {
        return takesDelay();
    }

    void check(@Nullable Duration delay) {
        if (delay != null && !takesDelay()) {
            throw CliException.usage("--delay makes sense with retry and release only, not with " + this);
        }
    }

    /**
     * Ends a reservation; the future says in one word what it came to.
     *
     * @param reason why it is rejected
     */
    CompletableFuture<String> settle(Lease lease, @Nullable Duration delay, String reason) {
        return switch (this) {
            case ACK -> lease.ackAsync().thenApply(done -> "acked");
            case RETRY -> (delay == null ? lease.retryAsync() : lease.retryAsync(delay)).thenApply(Settlement::word);
            // Without a delay to its old place, which an explicit one of 0 would not be.
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
