package dev.jono.spring.jobs;

import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import java.util.Objects;

/**
 * A type of jobs and its handler, for the runner of the application. Methods with {@code @JonoJob} become definitions; programs declare
 * them as beans.
 *
 * @param type the type
 * @param handler runs its jobs
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
public record JobDefinition<P, R>(JobType<P, R> type, JobHandler<? super P, ? extends R> handler)
        implements RunnerEntry<P, R> {
    /** Checks that nothing is missing. */
    public JobDefinition {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(handler, "handler");
    }

    @Override
    public void addTo(JobRunnerBuilder runner) {
        runner.handle(type, handler);
    }
}
