package dev.jono.spring.jobs;

import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;

/**
 * A type of jobs with its handler, for the runner of the application.
 *
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
public sealed interface RunnerEntry<P, R> permits JobDefinition, JobBatchDefinition {
    /** The type. */
    JobType<P, R> type();

    /** Adds the handler to a runner. */
    void addTo(JobRunnerBuilder runner);
}
