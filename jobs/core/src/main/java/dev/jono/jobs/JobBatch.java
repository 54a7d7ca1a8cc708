package dev.jono.jobs;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A batch of jobs of any types, which is complete when it is closed and all its jobs have ended. Then it enqueues jobs, as its {@link
 * BatchOptions} say. Any process can add jobs to it, and its own jobs too. Thread-safe.
 *
 * <pre>{@code
 * JobBatch batch = jobs.batch("import-2026-11-27", o -> o.onSuccess(PUBLISH, "catalogue"));
 * batch.enqueueAll(IMPORT, files, options -> options);
 * batch.close();
 * }</pre>
 *
 * <p>A batch is not {@link AutoCloseable}: an exception while it is filled must leave it open. Otherwise it would be complete without the
 * missing jobs, and enqueue its callbacks. The program opens the batch of the same name again, fills it, and closes it.
 *
 * <p>A job that has failed counts as ended. If it is retried before the batch is complete, it counts again at its next end.
 */
public interface JobBatch {
    /** The name. */
    String name();

    /** Enqueues a job in the batch, with the defaults of its type. */
    default <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload) {
        return enqueue(type, payload, options -> options);
    }

    /**
     * Enqueues a job in the batch, as {@link Jobs#enqueue(JobType, Object, UnaryOperator)} does. A duplicate of another job is not in the
     * batch.
     *
     * @throws IllegalStateException if the batch is complete
     */
    <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options);

    /**
     * Enqueues several jobs in the batch, as {@link Jobs#enqueueAll} does.
     *
     * @throws IllegalStateException if the batch is complete
     */
    <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options);

    /** A snapshot of the batch; empty if it is gone. */
    Optional<BatchView> view();

    /**
     * Closes the batch, after all its jobs were added: it is complete when they have ended. Its jobs can still add jobs to it. Idempotent.
     * A batch that is never closed is never complete.
     */
    void close();
}
