package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.Headers;
import dev.jono.SnoozeException;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobStep;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/** What a handler does with its run, and with other jobs. Used by the thread of the handler and others that it starts. Thread-safe. */
final class HandlerRun implements JobRun {
    private static final int MAX_LINE = 8192;
    private static final int MAX_REASON = 2000;

    private final JobsContext context;
    private final Jobs jobs;
    private final RunImpl run;
    private final JobType<?, ?> type;
    private final Headers headers;

    /** @param headers those of the message of the job */
    HandlerRun(JobsContext context, Jobs jobs, RunImpl run, JobType<?, ?> type, Headers headers) {
        this.context = context;
        this.jobs = jobs;
        this.run = run;
        this.type = type;
        this.headers = headers;
    }

    @Override
    public String id() {
        return run.id();
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public int maxAttempts() {
        return type.maxAttempts();
    }

    @Override
    public Optional<String> key() {
        return Optional.ofNullable(headers.string(Headers.KEY));
    }

    @Override
    public Set<String> tags() {
        return JobHeaders.tags(headers);
    }

    @Override
    public Instant deadline() {
        return run.deadline();
    }

    @Override
    public void progress(long done, long total, @Nullable Object data) {
        if (done < 0 || total < 1) {
            throw new IllegalArgumentException("progress of job " + run.id() + ": " + done + " of " + total);
        }
        run.progress(
                done,
                total,
                data == null ? null : ProgressData.json(context.codec(data.getClass()), run.jobId(), data));
    }

    @Override
    public void log(String format, @Nullable Object... arguments) {
        String text = MessageFormatter.arrayFormat(Objects.requireNonNull(format, "format"), arguments)
                .getMessage();
        run.log(Texts.cut(text, MAX_LINE));
    }

    @Override
    public <T> @Nullable T step(String name, Class<T> type, JobStep<? extends T> step) throws Exception {
        return new RunSteps(context, run).run(name, type, step);
    }

    @Override
    public <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return jobs.enqueue(type, payload, options);
    }

    @Override
    public <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(
            JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return jobs.enqueueAsync(type, payload, options);
    }

    @Override
    public <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        return jobs.enqueueAll(type, payloads, options);
    }

    /** A batch that is gone must not be created again, as {@link Jobs#batch(String)} would do. */
    @Override
    public Optional<JobBatch> batch() {
        return run.batch().filter(name -> jobs.findBatch(name).isPresent()).map(jobs::batch);
    }

    @Override
    public boolean cancelled() {
        return run.cancelled();
    }

    @Override
    public RuntimeException snooze(Duration delay) {
        return new SnoozeException(Durations.check(delay, "snooze"));
    }

    @Override
    public RuntimeException fail(String reason) {
        return new GiveUpException(Texts.cut(Objects.requireNonNull(reason, "reason"), MAX_REASON));
    }
}
