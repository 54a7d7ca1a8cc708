package dev.jono.cli;

import dev.jono.Lease;
import dev.jono.RetryOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

    /**
     * Ends reservations. The futures have the order of the leases. Messages go back in the reverse order, because a message
     * that goes back takes the later ones of its ordering key back with it.
     *
     * @param keyed whether the messages may have ordering keys
     * @param reason for a reject
     */
    List<CompletableFuture<String>> settleAll(
            List<? extends Lease> leases, @Nullable Duration delay, String reason, boolean keyed) {
        if (!givesBack() || !keyed) {
            return leases.stream().map(lease -> settle(lease, delay, reason)).toList();
        }
        Deque<CompletableFuture<String>> steps = new ArrayDeque<>();
        CompletableFuture<String> before = CompletableFuture.completedFuture("");
        for (int i = leases.size() - 1; i >= 0; i--) {
            Lease lease = leases.get(i);
            before = before.handle((done, failure) -> lease).thenCompose(next -> settle(next, delay, reason));
            steps.addFirst(before);
        }
        return List.copyOf(steps);
    }

    private static String word(RetryOutcome outcome) {
        return outcome == RetryOutcome.DEAD_LETTERED ? "dead-lettered" : "retried";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
