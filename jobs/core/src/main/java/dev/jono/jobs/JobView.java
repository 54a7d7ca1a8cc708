package dev.jono.jobs;

import dev.jono.EncodedPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A snapshot of a job. Immutable. */
public interface JobView {
    /** The id. */
    String id();

    /** The name of its type. */
    String type();

    /** The state of the job. */
    JobState state();

    /** The priority. */
    JobPriority priority();

    /** The stored payload. */
    EncodedPayload payload();

    /** The tags. */
    Set<String> tags();

    /** The ordering key; empty if it has none. */
    Optional<String> key();

    /** The name of its batch; empty if it is in none. */
    Optional<String> batch();

    /** The ids of the jobs after which it starts, see {@link EnqueueOptions#after}; none if there are none, or it has ended. */
    List<String> predecessors();

    /** The time of the enqueue, by the storage's clock; empty if the storage does not keep it. */
    Optional<Instant> enqueuedAt();

    /** The due time, by the storage's clock; empty for an ended job. */
    Optional<Instant> dueAt();

    /**
     * The number of runs that count, the current one included; 0 for an expired job. For an ended job: the number of the run that
     * ended it, or of the last run before a cancel. The numbers begin at 1 again after {@link Jobs#retry}.
     */
    int attempt();

    /** The last 25 ended runs, oldest first. After {@link Jobs#retry}, two of them can have the same number. */
    List<JobAttempt> attempts();

    /** The last reported progress; empty if the job has reported none. */
    Optional<JobProgress> progress();

    /** The result as JSON; empty if there is none. */
    Optional<String> result();

    /** The reason of the failure, cancel or expiry. For a job that has not ended: the failure of its last attempt. */
    Optional<String> reason();

    /** The time of its end, by the storage's clock; empty if it has not ended. */
    Optional<Instant> endedAt();
}
