package dev.jono.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One ended run of a job.
 *
 * @param number its number, 1 for the first
 * @param runner the name of the runner; empty if it is not known
 * @param due when the job could have started, by the clock of the storage; null if it is not known
 * @param start when the handler was called, by the clock of the runner; null if it is not known, because the runner died or lost its lease
 * @param end when the run ended, by the clock of the runner; when its loss was noticed, if the runner died; when its job was cancelled, if
 *     that has ended it
 * @param error the text of the failure; null if the run succeeded
 */
public record JobAttempt(
        int number,
        String runner,
        @Nullable Instant due,
        @Nullable Instant start,
        Instant end,
        @Nullable String error) {
    /**
     * How long the job was due before this run started; empty if one of the times is not known. Time in which a handler was not
     * allowed to start counts too: a limit, a pause, an earlier job of its key.
     */
    public Optional<Duration> queueTime() {
        if (due == null || start == null) {
            return Optional.empty();
        }
        Duration waited = Duration.between(due, start);
        return Optional.of(waited.isNegative() ? Duration.ZERO : waited); // two clocks
    }

    /** The duration of the run; empty if its start is not known. */
    public Optional<Duration> runTime() {
        return Optional.ofNullable(start).map(from -> Duration.between(from, end));
    }

    /** The text of the failure; empty if the run succeeded. */
    public Optional<String> failure() {
        return Optional.ofNullable(error);
    }
}
