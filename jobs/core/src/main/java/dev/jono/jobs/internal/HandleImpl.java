package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoException;
import dev.jono.StorageException;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobNotSucceededException;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobTimeoutException;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The handle of an enqueued job. Called on the threads of users. Thread-safe. */
final class HandleImpl<R> implements JobHandle<R> {
    private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LAST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JobsImpl jobs;
    private final JobsContext context;
    private final JobType<?, R> type;
    private final JobId id;
    private final boolean duplicate;

    HandleImpl(JobsImpl jobs, JobsContext context, JobType<?, R> type, String message, boolean duplicate) {
        this.jobs = jobs;
        this.context = context;
        this.type = type;
        this.id = new JobId(type.name(), message);
        this.duplicate = duplicate;
    }

    @Override
    public boolean duplicate() {
        return duplicate;
    }

    @Override
    public String id() {
        return id.toString();
    }

    /** Looks at growing intervals, up to a second, and when this process hears of the end. A look that fails is repeated until the timeout. */
    @Override
    public @Nullable R await(Duration timeout) throws InterruptedException {
        Durations.check(timeout, "timeout");
        if (type.keepSucceeded().isZero()) {
            throw new IllegalStateException("job type '" + type.name()
                    + "' keeps no records of succeeded jobs, so the end of job " + id + " cannot be detected");
        }
        try (EndSignals.Waiter waiter = context.events.ends().await(id())) {
            return await(waiter, timeout);
        }
    }

    private @Nullable R await(EndSignals.Waiter waiter, Duration timeout) throws InterruptedException {
        long end = context.clock.nanos() + timeout.toNanos();
        long wait = FIRST_LOOK_NANOS;
        boolean ended = false;
        boolean gone = false;
        while (true) {
            JonoException failed = null;
            try {
                Optional<StoredRecord> record = context.read(id());
                if (record.isPresent() && record.get().state().isEnded()) {
                    return result(record.get());
                }
                if (ended || wait >= LAST_LOOK_NANOS) {
                    boolean goneBefore = gone || ended; // a cancel removes the message before it writes the record
                    gone = !isLive();
                    if (gone && goneBefore) {
                        throw new JobNotSucceededException(id(), null, null);
                    }
                }
            } catch (StorageException failure) {
                failed = failure;
            }
            long left = end - context.clock.nanos();
            if (left <= 0) {
                if (gone) {
                    throw new JobNotSucceededException(id(), null, null);
                }
                throw failed == null ? new JobTimeoutException(id(), timeout) : failed;
            }
            ended = waiter.pause(context.clock, Math.min(wait, left));
            wait = Math.min(2 * wait, LAST_LOOK_NANOS);
        }
    }

    /** Whether the job is not gone. A job can end without a record, if the store was not available. */
    private boolean isLive() {
        Optional<JobView> view = jobs.get(id());
        if (view.isPresent() && view.get().state() == JobState.FAILED) {
            throw new JobNotSucceededException(
                    id(), JobState.FAILED, view.get().reason().orElse(null));
        }
        return view.isPresent();
    }

    private @Nullable R result(StoredRecord record) {
        JobDocument document = JobDocument.parse(record.document());
        JobState state = Views.ended(record).state();
        if (state != JobState.SUCCEEDED) {
            throw new JobNotSucceededException(id(), state, document.reason().orElse(null));
        }
        EncodedPayload encoded = document.result().orElse(null);
        if (encoded == null) {
            return null;
        }
        try {
            return context.<R>codec(type.resultType()).decode(encoded, Headers.empty());
        } catch (Exception e) {
            throw new IllegalStateException(
                    "the result of job " + id + " cannot be read as "
                            + type.resultType().getTypeName() + ": " + encoded.text(),
                    e);
        }
    }

    @Override
    public Optional<JobView> view() {
        return jobs.get(id());
    }

    @Override
    public boolean cancel(String reason) {
        return jobs.cancel(id(), reason);
    }

    @Override
    public String toString() {
        return "job " + id;
    }
}
