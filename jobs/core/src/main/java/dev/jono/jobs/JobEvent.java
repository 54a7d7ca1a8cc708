package dev.jono.jobs;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened to a job. See {@link Jobs#on(JobEventFilter, JobEventListener)}.
 *
 * @param kind what has happened
 * @param jobId the id of the job
 * @param type the name of the type of the job
 * @param attempt the number of the run that the event is about, 1 for the first; for a cancelled job the number of its runs; 0 if the
 *     event is not about a run
 * @param time when it happened, by the clock of the process in which it happened
 * @param progress the progress of a {@link Kind#PROGRESS} event; null for other kinds
 * @param reason why the run or the job has failed, was cancelled, or has expired; null for other kinds
 */
public record JobEvent(
        Kind kind,
        String jobId,
        String type,
        int attempt,
        Instant time,
        @Nullable JobProgress progress,
        @Nullable String reason) {
    /** The kinds of events. Later versions may add kinds. */
    public enum Kind {
        /** The job was enqueued, or a failed job was retried by {@link Jobs#retry}. */
        ENQUEUED,
        /** An enqueue was a duplicate of this job. */
        DEDUPLICATED,
        /** A run has begun. */
        STARTED,
        /** The job has reported its progress: at most once a second, and before the end of the run. */
        PROGRESS,
        /** A run has failed, and the job is run again. */
        RETRYING,
        /** The job has succeeded. */
        SUCCEEDED,
        /** The job has failed at its last attempt. */
        FAILED,
        /** The job was cancelled. */
        CANCELLED,
        /** The job has not started in time. */
        EXPIRED,
        /** The job was removed by {@link Jobs#remove}. */
        REMOVED,
        /** The handler has delayed the job. The run does not count. */
        SNOOZED,
        /** The stop of the runner has interrupted the run. It does not count. */
        INTERRUPTED;

        /** Whether the job has ended: it has succeeded, failed or expired, or was cancelled. */
        public boolean isEnd() {
            return switch (this) {
                case SUCCEEDED, FAILED, CANCELLED, EXPIRED -> true;
                default -> false;
            };
        }
    }

    /** Checks that nothing required is missing. */
    public JobEvent {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(time, "time");
    }
}
