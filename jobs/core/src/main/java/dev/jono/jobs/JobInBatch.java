package dev.jono.jobs;

import org.jspecify.annotations.Nullable;

/**
 * A job of a batch that a {@link JobBatchHandler} handles. Thread-safe.
 *
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
public interface JobInBatch<P, R> {
    /** The payload. */
    P payload();

    /** The run of the job, for progress and log lines. */
    JobRun run();

    /**
     * The job has succeeded, also if the handler throws an exception for the others later. The record is written when the handler has
     * ended.
     *
     * @param result the result, which is stored as JSON; null for none
     * @throws Exception if the result cannot be stored; the handler must not catch it
     */
    void succeed(@Nullable R result) throws Exception;
}
