package dev.jono;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The delay before a message is delivered again after a retry. Must be thread-safe. */
@FunctionalInterface
public interface Backoff {
    /**
     * Returns the delay before the next delivery, zero or longer, up to ten years.
     *
     * @param attempt the number of the delivery that failed, 1 at the first
     */
    Duration delay(int attempt);

    /** Returns the default: 1 s, doubled at each delivery, up to 10 min, less a random part of up to a fifth. */
    static Backoff standard() {
        return exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(10), 0.2);
    }

    /**
     * Returns a backoff with a constant delay.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    static Backoff fixed(Duration delay) {
        Durations.check(delay, "delay");
        return attempt -> delay;
    }

    /**
     * Returns a backoff whose delay grows by a factor at each delivery.
     *
     * @param first the delay after the first delivery
     * @param factor the growth at each delivery, 1 or more
     * @param most the longest delay
     * @param jitter the largest part of the delay that is taken off at random, 0 to 1; it spreads messages that failed at
     *     the same time
     * @throws IllegalArgumentException if a value is out of its range
     */
    static Backoff exponential(Duration first, double factor, Duration most, double jitter) {
        Durations.check(first, "first delay");
        Durations.check(most, "longest delay");
        if (!(factor >= 1)) {
            throw new IllegalArgumentException("factor must be at least 1: " + factor);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter must be between 0 and 1: " + jitter);
        }
        return attempt -> {
            double full =
                    Math.min((double) most.toMillis(), first.toMillis() * Math.pow(factor, Math.max(0, attempt - 1)));
            return Duration.ofMillis(
                    (long) (full * (1 - jitter * ThreadLocalRandom.current().nextDouble())));
        };
    }
}
