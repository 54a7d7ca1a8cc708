package dev.jono.jobs;

import org.jspecify.annotations.Nullable;

/**
 * Handles the jobs of one type. If it returns, the job has succeeded. If it throws, the attempt has failed; the job is retried with the
 * backoff of its type, up to its maximum number of attempts.
 *
 * <p>The thread is interrupted when the attempt runs longer than the timeout of its type, when the job is cancelled, when its lease
 * is lost, or when the runner is forced to stop.
 *
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface JobHandler<P, R> {
    /**
     * Runs one job, on a thread of the runner.
     *
     * @param payload the payload of the job, never null
     * @param run reports progress and log lines, and can end the run without a result
     * @return the result, which is stored as JSON; null for none
     */
    @Nullable R run(P payload, JobRun run) throws Exception;
}
