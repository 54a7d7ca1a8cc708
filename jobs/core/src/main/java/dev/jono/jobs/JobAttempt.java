package dev.jono.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One ended run of a job.
 *
 * @param number its number, 1 for the first
 * @param runner the name of the runner
 * @param start when the handler was called, by the clock of the runner
 * @param end when the run ended, by the clock of the runner
 * @param error the text of the failure; null if the run succeeded
 */
public record JobAttempt(
        int number,
        String runner,
        Instant start,
        Instant end,
        @Nullable String error) {
    /** The duration of the run. */
    public Duration runTime() {
        return Duration.between(start, end);
    }

    /** The text of the failure; empty if the run succeeded. */
    public Optional<String> failure() {
        return Optional.ofNullable(error);
    }
}
