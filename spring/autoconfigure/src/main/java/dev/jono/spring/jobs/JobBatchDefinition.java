package dev.jono.spring.jobs;

import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import java.util.Objects;

/**
 * A type of jobs and a handler for several of them at once, for the runner of the application. Methods with {@code @JonoJob} that take a
 * list become such definitions; programs declare them as beans.
 *
 * @param type the type
 * @param max the maximum number of jobs that are handled at once
 * @param handler runs its jobs
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
public record JobBatchDefinition<P, R>(JobType<P, R> type, int max, JobBatchHandler<P, R> handler)
        implements RunnerEntry<P, R> {
    /** Checks that nothing is missing. */
    public JobBatchDefinition {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(handler, "handler");
    }

    @Override
    public void addTo(JobRunnerBuilder runner) {
        runner.handleBatch(type, max, handler);
    }
}
