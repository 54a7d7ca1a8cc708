package dev.jono.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job, passed to its handler. Progress and log lines are written at most once a second, the last ones with the end of
 * the run. If the run has lost its lease to another run, they are dropped. Thread-safe.
 */
public interface JobRun {
    /** The id of the job. */
    String id();

    /** The number of this run, 1 at the first. */
    int attempt();

    /** The maximum number of runs of the job, by the type of the runner. */
    int maxAttempts();

    /** The ordering key of the job; empty if it has none. */
    Optional<String> key();

    /** The tags of the job. */
    Set<String> tags();

    /** The time at which the handler is interrupted because of the timeout of its type. */
    Instant deadline();

    /**
     * Reports the progress of the job.
     *
     * @param done the completed part, in units of the job; 0 or more
     * @param total the whole work, in the same units; 1 or more
     * @throws IllegalArgumentException if a number is out of range
     */
    default void progress(long done, long total) {
        progress(done, total, null);
    }

    /**
     * Reports the progress of the job, with further data.
     *
     * @param done the completed part, in units of the job; 0 or more
     * @param total the whole work, in the same units; 1 or more
     * @param data further data, stored as JSON of at most 4 KiB; null for none
     * @throws IllegalArgumentException if a number is out of range, or the data cannot be written as JSON or is too large
     */
    void progress(long done, long total, @Nullable Object data);

    /**
     * Adds a line to the log of the job. The log keeps the last 1,000 lines, at most 256 KiB. Longer lines than 8,192 characters are cut.
     *
     * @param format the text; each <code>{}</code> in it stands for an argument, as in SLF4J
     */
    void log(String format, @Nullable Object... arguments);

    /**
     * Runs a step of the job, and records its result before it returns. If a later run of the job comes to the step, the result is
     * returned and the step is not run again. If the process dies before the result is recorded, the step runs again.
     *
     * <pre>{@code
     * String invoice = run.step("invoice", String.class, () -> invoices.create(order));
     * run.step("mail", () -> mails.send(order, invoice));
     * }</pre>
     *
     * @param name the name of the step, 1 to 100 characters; each step of a job has another one
     * @param type the class of the result, which is stored as JSON of at most 64 KiB; all steps of a job together have at most 256 KiB
     * @return the result of the step
     * @throws Exception what the step has thrown; then it is not recorded
     * @throws IllegalArgumentException if the name is not allowed, or the result cannot be stored or read
     * @throws dev.jono.JonoException if the result could not be recorded, or another run has the job
     */
    <T> @Nullable T step(String name, Class<T> type, JobStep<? extends T> step) throws Exception;

    /** As {@link #step(String, Class, JobStep)}, for a step without a result. */
    default void step(String name, JobAction step) throws Exception {
        step(name, Boolean.class, () -> {
            step.run();
            return true;
        });
    }

    /** Enqueues a job with the defaults of its type. See {@link #enqueue(JobType, Object, UnaryOperator)}. */
    default <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload) {
        return enqueue(type, payload, options -> options);
    }

    /**
     * Enqueues a job, as {@link Jobs#enqueue(JobType, Object, UnaryOperator)} does. It is enqueued when the call returns, whether or not
     * this run succeeds. If a later run of this job must not enqueue it again, use a step or a unique key:
     *
     * <pre>{@code
     * run.step("mail", String.class, () -> run.enqueue(MAIL, order.address()).id());
     * }</pre>
     *
     * <p>The new job is in no batch, also if this job is in one; {@link #batch()} adds jobs to that. A handler should not wait for the new
     * job: all threads of the runner could wait.
     */
    <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options);

    /** {@link #enqueue(JobType, Object, UnaryOperator)} as a future. */
    <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(
            JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options);

    /** Enqueues several jobs, as {@link Jobs#enqueueAll} does. They are in no batch. */
    <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options);

    /**
     * Returns the batch that the job is in; empty if it is in none, or the batch is gone. The handler can add jobs to it, also if it is
     * closed, because it is not complete while this job runs. Reads the batch.
     */
    Optional<JobBatch> batch();

    /** Whether the job was cancelled. The handler should end soon; its result or failure is ignored. */
    boolean cancelled();

    /**
     * Returns an exception that delays the job; this run does not count. The handler must throw it: {@code throw run.snooze(ofMinutes(5));}
     * As the cause of another exception it has no effect.
     *
     * @throws IllegalArgumentException if the duration is negative or longer than ten years
     */
    RuntimeException snooze(Duration delay);

    /**
     * Returns an exception that fails the job, without further attempts. The handler must throw it: {@code throw run.fail("no
     * file");} As the cause of another exception it has no effect.
     *
     * @param reason kept in the record of the job; cut after 2,000 characters
     */
    RuntimeException fail(String reason);
}
