package dev.jono.jobs;

import java.time.Duration;

/** A builder of {@link JobRunner}. Not thread-safe. */
public interface JobRunnerBuilder {
    /**
     * Sets the maximum number of jobs that run at the same time; 1 by default. With 1, a job starts after the end of the one before it is
     * stored. With more, a job counts until its handler has returned: another one can start while its end is being stored.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    JobRunnerBuilder concurrency(int jobs);

    /** Sets the name of the runner, which the records of its jobs contain; {@code PID@HOST} by default. */
    JobRunnerBuilder name(String name);

    /**
     * Sets the length of the lease of a running job; by default that of the factory's queues. The runner extends
     * the lease while the handler runs. If the runner dies, the job runs again when its lease has ended.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or longer than ten years
     */
    JobRunnerBuilder lease(Duration lease);

    /**
     * Starts a job only if no job of a higher priority is due. By default, jobs are started by the weights of their priorities.
     * Of two types, the jobs of the one whose handler was set first come first within a priority, so that a busy type holds up
     * those after it.
     */
    JobRunnerBuilder strictPriorities();

    /**
     * Sets the handler of a type.
     *
     * @throws IllegalArgumentException if the type has a handler already
     */
    <P, R> JobRunnerBuilder handle(JobType<P, R> type, JobHandler<? super P, ? extends R> handler);

    /**
     * Sets a handler of a type that gets several jobs at once: those that are due, and of jobs with ordering keys those of one key. Each job
     * counts towards the concurrency.
     *
     * @param max the maximum number of jobs in a batch, 1 or more; the concurrency must not be smaller
     * @throws IllegalArgumentException if the type has a handler already, or the number is less than 1
     */
    <P, R> JobRunnerBuilder handleBatch(JobType<P, R> type, int max, JobBatchHandler<P, R> handler);

    /**
     * Sets a callback for when the runner has become idle: no job of its types is due or running, in any process. Jobs of paused types do
     * not count. It is called once after the start, and once each time after the runner has run jobs, up to half a second late, on a
     * thread of the factory's executor, one call at a time. It may stop the runner. Its exceptions are logged.
     */
    JobRunnerBuilder onIdle(Runnable callback);

    /**
     * Starts the runner.
     *
     * @throws IllegalStateException if no type has a handler
     * @throws IllegalArgumentException if a batch is larger than the concurrency
     */
    JobRunner start();

    /**
     * Runs the jobs that are due, and those that become due meanwhile, until none is due or running in any process; then stops the
     * runner. For programs that another system starts at intervals, and for tests. Jobs of paused types are left out.
     *
     * @param timeout the maximum time; then the jobs that still run go back to their queues, and their attempts do not count
     * @return true if no job was due or running at the end; false if the timeout ended before
     * @throws IllegalArgumentException if the timeout is negative or longer than ten years
     * @throws IllegalStateException if no type has a handler
     * @throws InterruptedException if the thread is interrupted; the runner is stopped
     */
    boolean runUntilIdle(Duration timeout) throws InterruptedException;
}
