package dev.jono.spring.listener;

import dev.jono.WorkerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs one listener, or the jobs of a runner. Can be started again after a stop. Thread-safe. */
public interface ListenerContainer {
    /** The id, which no other container of the application has. */
    String id();

    /** The names of the queues that it serves, or of the types of jobs. */
    List<String> sources();

    /** Whether it runs jobs, so that its sources are types of jobs and not queues. */
    default boolean runsJobs() {
        return false;
    }

    /** The maximum number of messages, of batches if it takes lists, or of jobs that it works on at the same time. */
    int concurrency();

    /** Whether it starts with the application. */
    boolean isAutoStartup();

    /** Starts it; does nothing if it runs. */
    void start();

    /**
     * Stops it as {@link dev.jono.Worker#stop} does: claims no more, waits for the handlers that run, then interrupts them and gives their
     * messages back uncounted. Does nothing if it does not run.
     *
     * @param timeout how long running handlers have
     * @return whether all handlers ended in time
     */
    boolean stop(Duration timeout);

    /** Whether it was started and not stopped since. */
    boolean isRunning();

    /** What it does now; empty if it does not run. */
    Optional<WorkerStatus> status();
}
