package dev.jono.jobs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A handle to an enqueued job. Thread-safe.
 *
 * @param <R> the type of the result
 */
public interface JobHandle<R> {
    /** The id of the job. Any process can look the job up with it: {@link Jobs#get}. */
    String id();

    /** Whether the enqueue was a duplicate: another job has the unique key. This handle is of that job then. */
    boolean duplicate();

    /**
     * Waits until the job has ended. Zero looks once.
     *
     * @return its result; null if it has none
     * @throws IllegalArgumentException if the timeout is negative or longer than ten years
     * @throws JobNotSucceededException if the job has failed, was cancelled, has expired or is gone
     * @throws JobTimeoutException if the job has not ended within the timeout; the job continues
     * @throws IllegalStateException if the type keeps no records of succeeded jobs, so that a success cannot be detected, or
     *     if the result cannot be read as the type of the results
     * @throws dev.jono.StorageException if the storage does not answer at the end of the timeout
     * @throws InterruptedException if the thread is interrupted; the job continues
     */
    @Nullable R await(Duration timeout) throws InterruptedException;

    /** A snapshot of the job; empty if it has neither a message nor a record. */
    Optional<JobView> view();

    /**
     * Cancels the job. See {@link Jobs#cancel}.
     *
     * @return true if the job was cancelled; false if it had ended before, or is gone
     */
    boolean cancel(String reason);
}
