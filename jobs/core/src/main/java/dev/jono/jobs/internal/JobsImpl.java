package dev.jono.jobs.internal;

import dev.jono.ConfigurationException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.BatchOptions;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobEventListener;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobListening;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobNumbers;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.LimitsView;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.ScheduleOptions;
import dev.jono.jobs.ScheduleView;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.spi.ConnectedFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The jobs of one factory. Thread-safe. */
public final class JobsImpl implements Jobs, AutoCloseable {
    private static final int MAX_LINES = 1000;

    private final JobsContext context;
    private final RunnerEntries runners;
    private final Watch watch;
    private final JobLists lists;
    private final Enqueues enqueues;
    private final JobBatches batches;
    private final JobChanges changes;
    private final PermitBook permits;
    private final Schedules schedules;
    private final PriorityChanges priorities;
    private final LatestPayloads payloads;
    private final LimitViews limits;
    private final JobNumbers numbers;

    private JobsImpl(JobsContext context) {
        this.context = context;
        this.batches = new JobBatches(context);
        this.runners = new RunnerEntries(context);
        this.watch = new Watch(context, new BatchAudit(context, batches), runners);
        this.lists = new JobLists(context);
        this.enqueues = new Enqueues(this, context);
        this.changes = new JobChanges(context, runners);
        this.permits = new PermitBook(context);
        this.schedules = new Schedules(context);
        this.priorities = new PriorityChanges(context, lists);
        this.payloads = new LatestPayloads(context);
        this.limits = new LimitViews(context);
        this.numbers = new JobNumbersImpl(context, id -> get(id).isPresent());
    }

    /** The jobs of a factory. The first call opens the job store of its backend. */
    public static Jobs on(QueueFactory jono) {
        if (!(jono instanceof ConnectedFactory connected)) {
            throw new ConfigurationException("jobs need a factory that QueueFactory.connect or its builder opened, not "
                    + jono.getClass().getName());
        }
        return connected.companion(
                JobsImpl.class, () -> new JobsImpl(new JobsContext(connected, JobStores.open(connected))));
    }

    /** The name of the type that a queue belongs to; empty if the queue is none of jobs. */
    public static Optional<String> typeOfQueue(String queue) {
        return TypeQueues.typeOf(queue);
    }

    /** Stops the runners, then closes the job store. */
    @Override
    public void close() {
        watch.runners().forEach(RunnerImpl::close);
        context.batchCounts.awaitIdle(context.jono.operationTimeout());
        permits.close()
                .completeOnTimeout(false, context.jono.operationTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        context.events.close();
        context.store.close();
    }

    @Override
    public <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return enqueues.enqueue(type, payload, options);
    }

    @Override
    public <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(
            JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return enqueues.enqueueAsync(type, payload, options);
    }

    @Override
    public <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        return enqueues.enqueueAll(type, payloads, options);
    }

    @Override
    public <P, R> CompletableFuture<List<JobHandle<R>>> enqueueAllAsync(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        return enqueues.enqueueAllAsync(type, payloads, options);
    }

    @Override
    public Optional<JobView> get(String id) {
        JobId job = JobId.parse(id);
        // The message may move, or the job may end, between two of these looks: then the second time finds it.
        return look(job).or(() -> look(job));
    }

    private Optional<JobView> look(JobId job) {
        TypeQueues queues = context.queues(job.type());
        StoredRecord record = context.read(job.toString()).orElse(null);
        if (record != null && record.state().isEnded()) {
            return Optional.of(Views.ended(record));
        }
        Optional<TypeQueues.Found> found = queues.find(job.message());
        if (found.isPresent()) {
            return Optional.of(Views.live(
                    job, found.get(), record, payloads.of(job, found.get().message())));
        }
        return queues.failed()
                .get(job.message())
                .map(message -> Views.failed(job, message, record, payloads.of(job, message)));
    }

    @Override
    public JobPage find(JobQuery query) {
        return lists.find(query);
    }

    @Override
    public Map<String, Map<JobState, Long>> counts() {
        return lists.counts();
    }

    @Override
    public Map<JobState, Long> counts(String type) {
        return lists.counts(type);
    }

    @Override
    public Set<String> types() {
        return lists.types();
    }

    @Override
    public List<JobLogLine> log(String id) {
        JobId.parse(id);
        return context.answer(context.store.log(id, MAX_LINES)).stream()
                .map(line -> new JobLogLine(Instant.ofEpochMilli(line.timeMillis()), line.attempt(), line.text()))
                .toList();
    }

    @Override
    public <R> @Nullable R await(JobType<?, R> type, String id, Duration timeout) throws InterruptedException {
        JobId job = JobId.parse(id);
        if (!job.type().equals(type.name())) {
            throw new IllegalArgumentException("job " + id + " is not of type '" + type.name() + "'");
        }
        return new HandleImpl<>(this, context, type, job.message(), false).await(timeout);
    }

    @Override
    public boolean cancel(String id, String reason) {
        return changes.cancel(id, reason);
    }

    @Override
    public boolean retry(String id) {
        return changes.retry(id);
    }

    @Override
    public boolean remove(String id) {
        return changes.remove(id);
    }

    @Override
    public boolean runNow(String id) {
        return changes.runNow(id);
    }

    @Override
    public Optional<String> rerun(String id) {
        return get(id).filter(view -> view.state().isEnded()).map(changes::rerun);
    }

    @Override
    public boolean changePriority(String id, JobPriority priority) {
        return priorities.change(JobId.parse(id), priority);
    }

    @Override
    public int changePriorityAll(JobQuery query, JobPriority priority, int max) {
        return priorities.changeAll(query, priority, max);
    }

    @Override
    public int retryAll(JobQuery query, int max) {
        return lists.forEach(query.state(JobState.FAILED), max, job -> retry(job.id()));
    }

    @Override
    public int cancelAll(JobQuery query, String reason, int max) {
        return lists.forEach(query, max, job -> !job.state().isEnded() && cancel(job.id(), reason));
    }

    @Override
    public int runNowAll(JobQuery query, int max) {
        return lists.forEach(query, max, job -> isDelayed(job) && runNow(job.id()));
    }

    private static boolean isDelayed(JobView job) {
        return job.state() == JobState.SCHEDULED || job.state() == JobState.RETRYING;
    }

    @Override
    public int rerunAll(JobQuery query, int max) {
        return lists.forEach(
                query, max, job -> job.state().isEnded() && rerun(job.id()).isPresent());
    }

    @Override
    public int removeAll(JobQuery query, int max) {
        return lists.forEach(query, max, job -> remove(job.id()));
    }

    @Override
    public void pause(String type) {
        context.queues(type).all().forEach(MessageQueue::pause);
    }

    @Override
    public void resume(String type) {
        context.queues(type).all().forEach(MessageQueue::resume);
    }

    @Override
    public boolean isPaused(String type) {
        return context.queues(type).all().stream().allMatch(MessageQueue::isPaused);
    }

    @Override
    public LimitsView limits(String type) {
        return limits.of(type);
    }

    @Override
    public JobNumbers numbers() {
        return numbers;
    }

    @Override
    public JobBatch batch(String name, UnaryOperator<BatchOptions> options) {
        batches.open(name, options.apply(BatchOptions.none()));
        return new BatchHandle(batches, enqueues::enqueueAll, name);
    }

    @Override
    public Optional<BatchView> findBatch(String name) {
        return batches.view(name);
    }

    @Override
    public List<BatchView> batches(String after, int limit) {
        return batches.list(after, limit);
    }

    @Override
    public JobListening on(JobEventFilter filter, JobEventListener listener) {
        return context.events.add(filter, listener);
    }

    @Override
    public <P, R> ScheduleView schedule(
            String name,
            String cron,
            ZoneId zone,
            JobType<P, R> type,
            P payload,
            UnaryOperator<ScheduleOptions> options) {
        return schedules.set(name, cron, zone, type, payload, options.apply(ScheduleOptions.none()));
    }

    @Override
    public List<ScheduleView> schedules() {
        return schedules.all();
    }

    @Override
    public boolean unschedule(String name) {
        return schedules.remove(name);
    }

    @Override
    public boolean pauseSchedule(String name) {
        return schedules.pause(name);
    }

    @Override
    public boolean resumeSchedule(String name) {
        return schedules.resume(name);
    }

    @Override
    public Optional<String> runSchedule(String name) {
        return schedules.run(name);
    }

    @Override
    public List<RunnerView> runners() {
        return runners.all();
    }

    @Override
    public JobRunnerBuilder runner() {
        return new RunnerBuilderImpl(this, context, watch, permits);
    }

    @Override
    public String toString() {
        return "jobs on " + context.jono;
    }
}
