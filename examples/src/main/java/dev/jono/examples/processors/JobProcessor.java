package dev.jono.examples.processors;

import dev.jono.jobs.JobRun;

/**
 * Handles the jobs of one type. An object of it can hold connections and settings.
 *
 * @param <P> the type of the payload
 */
public interface JobProcessor<P> {
    /** The name of the type. It is stored with each job, so it must not change. */
    String name();

    /** The class of the payload. */
    Class<P> payload();

    /** The maximum number of attempts of a job, after which it is in the dead-letter queue. */
    default int maxAttempts() {
        return 3;
    }

    /**
     * Handles a job. The thread is interrupted when the runner is stopped and the shutdown timeout is over.
     *
     * @param run {@link JobRun#cancelled} tells whether somebody has cancelled the job
     * @throws Exception if the job is to be tried again
     */
    void handle(P payload, JobRun run) throws Exception;
}
