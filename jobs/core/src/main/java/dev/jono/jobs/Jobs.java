package dev.jono.jobs;

import dev.jono.QueueFactory;
import dev.jono.jobs.internal.JobsImpl;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Jobs on a storage: typed work with state, progress and results. A job is a message in a queue of its type until it has ended,
 * and then a record. Thread-safe. It is not closed: closing the factory stops its runners.
 *
 * <pre>{@code
 * Jobs jobs = Jobs.on(jono);
 * JobHandle<Thumb> job = jobs.enqueue(RESIZE, new Resize("a.png"));
 * Thumb thumb = job.await(Duration.ofSeconds(30));
 * }</pre>
 *
 * <p>Calls return when the storage has done the step. They throw {@link dev.jono.StorageException} if the step was certainly not
 * done, and {@link dev.jono.OutcomeUnknownException} if the outcome is not known. Futures fail with the same exceptions.
 */
public interface Jobs {
    /**
     * Returns the jobs on the storage of a factory. Their records are kept in the same storage. All calls for one factory return
     * the same object.
     *
     * @throws dev.jono.ConfigurationException if there is no job store for this backend on the class path, or the backend cannot
     *     reserve messages
     */
    static Jobs on(QueueFactory jono) {
        return JobsImpl.on(jono);
    }

    /**
     * The name of the type of jobs whose messages are in a queue: those that wait or run, or those that have failed; empty if the queue
     * is none of jobs. A job's id is this name, a colon, and the id of its message.
     *
     * @param queue the name of the queue
     */
    static Optional<String> typeOfQueue(String queue) {
        return JobsImpl.typeOfQueue(queue);
    }

    /** Enqueues a job with the defaults of its type. */
    default <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload) {
        return enqueue(type, payload, options -> options);
    }

    /**
     * Enqueues a job.
     *
     * @param options overrides defaults of the type, such as {@code o -> o.priority(HIGH).tag("eu")}
     */
    <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options);

    /** {@link #enqueue(JobType, Object, UnaryOperator)} as a future. */
    <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(
            JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options);

    /**
     * Enqueues several jobs, in their order. They are stored together where the storage can do that.
     *
     * @throws dev.jono.PartialFailureException if some of them were stored, and others not or not certainly. It has the ids of
     *     messages; the id of a job is the name of its type, a colon, and the id of its message.
     */
    <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options);

    /**
     * {@link #enqueueAll} as a future. Cancelling the future does not take the jobs back.
     *
     * @throws IllegalArgumentException if the options name a transaction
     */
    <P, R> CompletableFuture<List<JobHandle<R>>> enqueueAllAsync(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options);

    /**
     * Returns a snapshot of a job; empty if it has neither a message nor a record.
     *
     * @throws IllegalArgumentException if the text is not the id of a job
     */
    Optional<JobView> get(String id);

    /**
     * Returns a page of jobs. Jobs that have not ended come first, by priority and due time; then failed, succeeded, cancelled and expired
     * jobs, the last ended first; then failed jobs whose record could not be written. Types come in the order of their names. A job that
     * changes its state between two pages can be in both or in none.
     *
     * @throws IllegalArgumentException if the cursor is not that of a page
     */
    JobPage find(JobQuery query);

    /**
     * Returns how many jobs each type has in each state, by the name of the type. Zeros are left out. {@link JobState#RETRYING} jobs are
     * counted as {@link JobState#SCHEDULED}, and jobs of a paused type as {@link JobState#WAITING}. The cost does not depend on the
     * number of jobs.
     */
    Map<String, Map<JobState, Long>> counts();

    /** Returns how many jobs of one type are in each state, as {@link #counts()} does. */
    Map<JobState, Long> counts(String type);

    /** Returns the names of the types that have jobs, sorted. The cost grows with the number of queues in the storage. */
    Set<String> types();

    /** The last lines of the log of a job, oldest first; at most 1,000. */
    List<JobLogLine> log(String id);

    /**
     * Waits until a job has ended, as {@link JobHandle#await} does. For jobs that another process has enqueued.
     *
     * @throws IllegalArgumentException if the text is not the id of a job of this type, or the timeout is out of range
     */
    <R> @Nullable R await(JobType<?, R> type, String id, Duration timeout) throws InterruptedException;

    /**
     * Cancels a job. A waiting job never starts. A running job sees {@link JobRun#cancelled()}, its thread is interrupted, and its
     * result is ignored. The record of a cancelled job is kept for 24 hours.
     *
     * @param reason kept in the record of the job; cut after 2,000 characters
     * @return true if the job was cancelled; false if it had ended before, or is gone
     */
    boolean cancel(String id, String reason);

    /**
     * Retries a failed job. It is due at once and has all its attempts again.
     *
     * @return true if the job waits again; false if it has not failed, is gone, or was retried by another caller at the same time.
     *     It is also false until the lease of the run has ended if the runner died after it had recorded the failure.
     */
    boolean retry(String id);

    /**
     * Removes a job that is not running, with its record and its log.
     *
     * @return true if the job was removed; false if it is running or gone. A job counts as running until its message is acked, a moment
     *     after its record shows its end. If its runner died, it counts as running until the lease of its run has ended.
     */
    boolean remove(String id);

    /**
     * Makes a scheduled or retrying job due at once.
     *
     * @return true if the job is due now; false if it is running, has ended, or is gone
     */
    boolean runNow(String id);

    /**
     * Changes the priority of a job that is not running. The job keeps its id, its due time, its attempts and its unique key.
     *
     * @return true if the job waits with this priority now; false if it is running, has ended, or is gone
     * @throws IllegalArgumentException if the job has an ordering key: such jobs run in the order of their keys, and have no priority
     */
    boolean changePriority(String id, JobPriority priority);

    /**
     * Enqueues a copy of an ended job: a new job with the same type, payload, tags and priority.
     *
     * @return the id of the new job; empty if the job has not ended, or is gone
     */
    Optional<String> rerun(String id);

    /**
     * Retries failed jobs, as {@link #retry} does.
     *
     * @param query selects them; its state is ignored, and its limit is the size of the steps
     * @param max the maximum number of jobs to retry
     * @return how many wait again
     */
    int retryAll(JobQuery query, int max);

    /**
     * Cancels jobs that have not ended, as {@link #cancel} does.
     *
     * @param query selects them; its limit is the size of the steps
     * @param max the maximum number of jobs to cancel
     * @return how many were cancelled
     */
    int cancelAll(JobQuery query, String reason, int max);

    /**
     * Changes the priority of jobs that are not running, as {@link #changePriority} does. Jobs with ordering keys stay as they are.
     *
     * @param query selects them; its limit is the size of the steps
     * @param max the maximum number of jobs to change
     * @return how many were changed; jobs that had this priority before are not counted
     */
    int changePriorityAll(JobQuery query, JobPriority priority, int max);

    /**
     * Makes scheduled and retrying jobs due at once, as {@link #runNow} does.
     *
     * @param query selects them; its limit is the size of the steps
     * @param max the maximum number of jobs to change
     * @return how many are due now
     */
    int runNowAll(JobQuery query, int max);

    /**
     * Enqueues copies of ended jobs, as {@link #rerun} does.
     *
     * @param query selects them; its limit is the size of the steps
     * @param max the maximum number of jobs to copy
     * @return how many were enqueued
     */
    int rerunAll(JobQuery query, int max);

    /**
     * Removes jobs that are not running, as {@link #remove} does.
     *
     * @param query selects them; its limit is the size of the steps
     * @param max the maximum number of jobs to remove
     * @return how many were removed
     */
    int removeAll(JobQuery query, int max);

    /**
     * Pauses a type: no job of it starts, in any process. Running jobs continue, and new jobs can be enqueued. See {@link
     * dev.jono.MessageQueue#pause} for what a pause needs.
     */
    void pause(String type);

    /** Ends a pause of a type. */
    void resume(String type);

    /** Whether a type is paused. */
    boolean isPaused(String type);

    /** Returns whether the limit and the rate of a type keep jobs from starting. */
    LimitsView limits(String type);

    /** Returns the numbers of the jobs on this storage. */
    JobNumbers numbers();

    /** Opens a batch without callbacks, as {@link #batch(String, UnaryOperator)} does. */
    default JobBatch batch(String name) {
        return batch(name, options -> options);
    }

    /**
     * Opens a batch: creates it, or returns the existing one of this name, with its callbacks. Programs that run again and again use another
     * name each time, for example with the date. A complete batch is kept for seven days.
     *
     * @param name 1 to 80 letters, digits or {@code _ . -}
     * @param options the jobs that it enqueues when it is complete, such as {@code o -> o.onSuccess(PUBLISH, "catalogue")}
     * @throws IllegalArgumentException if the name is not allowed, or a payload cannot be encoded
     */
    JobBatch batch(String name, UnaryOperator<BatchOptions> options);

    /** Returns a snapshot of a batch; empty if there is none of this name. Unlike {@link #batch(String)}, this creates none. */
    Optional<BatchView> findBatch(String name);

    /**
     * Returns a page of batches, sorted by name.
     *
     * @param after the name behind which the page begins; empty for the first page
     * @param limit the maximum number of batches, 1 or more
     */
    List<BatchView> batches(String after, int limit);

    /** Calls a listener with all events, as {@link #on(JobEventFilter, JobEventListener)} does. */
    default JobListening on(JobEventListener listener) {
        return on(JobEventFilter.all(), listener);
    }

    /**
     * Calls a listener with the events of jobs in all processes, until it is closed. Each event is delivered at most once; events can be
     * lost, so correctness must not depend on them. Events of this factory come at once. Those of other processes come about 200 ms
     * later. They begin at most a second after this call has returned, because a process looks for new listeners at most once a
     * second.
     *
     * <p>The events of one job from one process come in the order in which they happened. An exception is that a job that starts at once
     * can be {@link JobEvent.Kind#STARTED} before it is {@link JobEvent.Kind#ENQUEUED}.
     *
     * <p>The call waits until the storage knows the listener. If the storage is not available, the listener hears the events of this
     * factory, and those of other processes when the storage is available again.
     *
     * @param filter selects the events
     * @param listener is called with one event at a time, on a thread of the factory's executor
     * @return ends the calls when it is closed; the close of the factory does that too
     * @throws dev.jono.QueueClosedException if the factory is closed
     */
    JobListening on(JobEventFilter filter, JobEventListener listener);

    /**
     * Creates or replaces a schedule with the default options. See {@link #schedule(String, String, ZoneId, JobType, Object,
     * UnaryOperator)}.
     */
    default <P, R> ScheduleView schedule(String name, String cron, ZoneId zone, JobType<P, R> type, P payload) {
        return schedule(name, cron, zone, type, payload, options -> options);
    }

    /**
     * Creates or replaces a schedule: at each time of a cron expression, a job is enqueued, once over all processes. A process with
     * runners of any type does that, up to two seconds after the time. Each job has the tags {@code schedule:NAME} and {@code
     * occurrence:TIME}, such as {@code occurrence:2026-03-29T01:00:00Z}. Unique keys of the type do not apply.
     *
     * <p>A schedule that has this name is replaced together with its next occurrence. With the same expression and zone it keeps its
     * times, so that a program can declare its schedules whenever it starts. A paused schedule stays paused. Jobs that are enqueued
     * already do not change.
     *
     * <p>A local time that a change of the clock skips or repeats: an expression of times of the day ({@code 30 2 * * *}) occurs once,
     * at the end of the gap, or when the time comes first. An expression that repeats ({@code *}, {@code -} or {@code /} in seconds,
     * minutes or hours) leaves out skipped times, and occurs at repeated times twice.
     *
     * @param name 1 to 80 letters, digits or {@code _ . -}
     * @param cron minute, hour, day of month, month, day of week (0 and 7 are Sunday), such as {@code 0 2 * * MON-FRI}; or six fields,
     *     with the seconds first. {@code L} is the last day of the month, {@code FRIL} its last Friday, {@code FRI#2} its second one
     * @param zone the time zone of the expression
     * @param payload the payload of each job, at most 64 KiB; it is encoded once, now
     * @param options such as {@code o -> o.skipMissed().priority(LOW)}
     * @return the schedule as it is stored
     * @throws IllegalArgumentException if the name or the expression is not allowed, the expression has no time, or the payload is too
     *     large
     * @throws dev.jono.UnsupportedCapabilityException if the backend has no unique keys
     */
    <P, R> ScheduleView schedule(
            String name,
            String cron,
            ZoneId zone,
            JobType<P, R> type,
            P payload,
            UnaryOperator<ScheduleOptions> options);

    /** Returns all schedules, sorted by name. Those that cannot be read are left out, with a warning in the log. */
    List<ScheduleView> schedules();

    /**
     * Removes a schedule. Jobs that are enqueued already stay.
     *
     * @return true if it was removed; false if there is no such schedule
     */
    boolean unschedule(String name);

    /**
     * Pauses a schedule: it has no occurrences until {@link #resumeSchedule}. Jobs that are enqueued already run.
     *
     * @return true if the schedule is paused; false if there is no such schedule
     */
    boolean pauseSchedule(String name);

    /**
     * Ends the pause of a schedule. The times during the pause are not missed occurrences.
     *
     * @return true if the schedule is not paused; false if there is no such schedule
     */
    boolean resumeSchedule(String name);

    /**
     * Enqueues a job of a schedule now, also if the schedule is paused. Its occurrences do not change.
     *
     * @return the id of the job; empty if there is no such schedule
     */
    Optional<String> runSchedule(String name);

    /**
     * Returns the runners that are alive, in all processes, those that started first first. Each process reports its runners every five
     * seconds. A runner that has stopped is not in the list; one whose process has died leaves it after 15 seconds.
     */
    List<RunnerView> runners();

    /** Returns a builder for a runner. */
    JobRunnerBuilder runner();
}
