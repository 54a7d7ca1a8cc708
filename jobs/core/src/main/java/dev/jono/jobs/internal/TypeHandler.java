package dev.jono.jobs.internal;

import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobType;

/**
 * A job type with its handler.
 *
 * @param type the type
 * @param max the maximum number of jobs in a batch
 * @param handler its handler
 */
record TypeHandler<P, R>(JobType<P, R> type, int max, JobBatchHandler<P, R> handler) {
    /** A handler of single jobs. */
    static <P, R> TypeHandler<P, R> single(JobType<P, R> type, JobHandler<? super P, ? extends R> handler) {
        return new TypeHandler<>(type, 1, jobs -> {
            JobInBatch<P, R> job = jobs.get(0);
            job.succeed(handler.run(job.payload(), job.run()));
        });
    }
}
