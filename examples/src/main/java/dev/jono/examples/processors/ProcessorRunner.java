package dev.jono.examples.processors;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs the jobs of some processors. Other objects schedule jobs by the processor that handles them: now, at a time, or after a time. At
 * its end, the runner starts no more jobs and waits for the running ones; those that take too long are interrupted, and another
 * process runs them again, without a lost attempt.
 */
public final class ProcessorRunner implements AutoCloseable {
    private final QueueFactory jono;
    private final Jobs jobs;
    private final Duration shutdownTimeout;
    private final JobRunner runner;

    /**
     * Starts a runner.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/jobs.db}
     * @param concurrency the maximum number of jobs that run at the same time
     * @param shutdownTimeout how long {@link #close} waits for running jobs before it interrupts them
     */
    public ProcessorRunner(
            String storage, int concurrency, Duration shutdownTimeout, List<? extends JobProcessor<?>> processors) {
        this.jono = QueueFactory.connect(storage);
        this.jobs = Jobs.on(jono);
        this.shutdownTimeout = shutdownTimeout;
        JobRunnerBuilder builder = jobs.runner().concurrency(concurrency);
        processors.forEach(processor -> add(builder, processor));
        this.runner = builder.start();
    }

    private <P> void add(JobRunnerBuilder builder, JobProcessor<P> processor) {
        JobHandler<P, Void> handler = (payload, run) -> {
            processor.handle(payload, run);
            return null;
        };
        builder.handle(type(processor), handler);
    }

    private static <P> JobType<P, Void> type(JobProcessor<P> processor) {
        return JobType.of(processor.name(), processor.payload())
                .maxAttempts(processor.maxAttempts())
                .backoff(Backoff.fixed(Duration.ofMillis(100)));
    }

    /** Schedules a job to run as soon as possible; returns its id. */
    public <P> String schedule(JobProcessor<P> processor, P payload) {
        return schedule(processor, payload, options -> options);
    }

    /** Schedules a job to run at a time; returns its id. */
    public <P> String scheduleAt(JobProcessor<P> processor, P payload, Instant time) {
        return schedule(processor, payload, options -> options.at(time));
    }

    /** Schedules a job to run after a time; returns its id. */
    public <P> String scheduleIn(JobProcessor<P> processor, P payload, Duration delay) {
        return schedule(processor, payload, options -> options.delay(delay));
    }

    private <P> String schedule(JobProcessor<P> processor, P payload, UnaryOperator<EnqueueOptions> options) {
        return jobs.enqueue(type(processor), payload, options).id();
    }

    /** Cancels a job: it does not start, or is interrupted. */
    public boolean cancel(String id) {
        return jobs.cancel(id, "cancelled by the user");
    }

    /** The jobs, for looks at their state. */
    public Jobs jobs() {
        return jobs;
    }

    /** Stops the runner as described above, then closes the connection. */
    @Override
    public void close() {
        runner.stop(shutdownTimeout);
        jono.close();
    }
}
