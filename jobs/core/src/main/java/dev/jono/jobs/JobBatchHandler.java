package dev.jono.jobs;

import java.util.List;

/**
 * Handles several jobs of one type at once: jobs without an ordering key, or consecutive ones of one key. If it returns, all of them have
 * succeeded; {@link JobInBatch#succeed} sets results. If it throws an exception, the attempts of those that have not succeeded have failed.
 * Of jobs with an ordering key, only the first of these has failed then; the later ones run again after it, uncounted.
 *
 * <p>The runner claims jobs of several keys together, and calls the handler for one key after the other, each with the timeout of the type.
 * When the time of one timeout is over, or the runner stops, it begins no further call, and gives the other jobs back, uncounted.
 *
 * <p>The thread is interrupted when the attempt runs longer than the timeout of the type, or when the runner is forced to stop. A cancelled
 * job does not interrupt the others; see {@link JobRun#cancelled}.
 *
 * @param <P> the type of the payload
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface JobBatchHandler<P, R> {
    /**
     * Runs jobs, on a thread of the runner.
     *
     * @param jobs at least one; those with an ordering key have the same one, and are in their order
     */
    void run(List<JobInBatch<P, R>> jobs) throws Exception;
}
