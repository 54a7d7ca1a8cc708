package dev.jono.jobs;

import dev.jono.WorkerStatus;
import java.time.Duration;

/** Runs jobs until it is stopped. Thread-safe. */
public interface JobRunner extends AutoCloseable {
    /** The current status of the runner. */
    WorkerStatus status();

    /**
     * Stops the runner. It starts no more jobs, waits for the running jobs, and interrupts them after the timeout. Interrupted
     * jobs go back to their queues, and their attempts do not count. Then waits until the ends of the jobs are stored, at most for the
     * operation timeout of the factory.
     *
     * @return whether all jobs ended within the timeout, and their ends are stored
     * @throws IllegalArgumentException if the duration is negative or longer than ten years
     */
    boolean stop(Duration timeout);

    /** Stops the runner as {@link #stop}, with the operation timeout of the factory. */
    @Override
    void close();
}
