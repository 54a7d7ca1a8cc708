package dev.jono;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a message stays away after a retry: grows with its tries. Thread-safe. */
@FunctionalInterface
public interface Backoff {
    /**
     * The delay before the next delivery.
     *
     * @param attempt the delivery that failed: 1 for the first
     */
    Duration delay(int attempt);

    /** The default: 1 s, doubled per delivery, 10 min at most, and up to a fifth taken off at random. */
    static Backoff standard() {
        return exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(10), 0.2);
    }

    /** Always the same delay. */
    static Backoff fixed(Duration delay) {
        Durations.check(delay, "delay");
        return attempt -> delay;
    }

    /**
     * Grows by a factor.
     *
     * @param first delay after the first delivery
     * @param factor growth per delivery, 1 or more
     * @param most the longest delay
     * @param jitter the part that chance may take off, 0 to 1, so that what failed together does not come back together
     * @throws IllegalArgumentException if a value is out of its range
     */
    static Backoff exponential(Duration first, double factor, Duration most, double jitter) {
        Durations.check(first, "first delay");
        Durations.check(most, "longest delay");
        if (!(factor >= 1) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "factor must be at least 1 and jitter between 0 and 1: " + factor + ", " + jitter);
        }
        return attempt -> {
            double full =
                    Math.min((double) most.toMillis(), first.toMillis() * Math.pow(factor, Math.max(0, attempt - 1)));
            return Duration.ofMillis(
                    (long) (full * (1 - jitter * ThreadLocalRandom.current().nextDouble())));
        };
    }
}
