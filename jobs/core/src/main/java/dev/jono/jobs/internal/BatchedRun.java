package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.internal.RunImpl.Interruption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run of one job of a batch. The handler uses it through {@link JobInBatch}; the rest is used by {@link JobExecution}, before and after
 * the handler.
 */
final class BatchedRun<P, R> implements JobInBatch<P, R> {
    final MessageEnd message;
    final RunImpl run;
    /** The payload that a duplicate has given to the job; null for that of the message. */
    final @Nullable EncodedPayload replaced;

    private final JobRun forHandler;
    private final ResultEncoder<R> encoder;
    /** Set before the handler gets it. */
    @Nullable P payload;
    /** Why the run has failed; null if it has not. */
    @Nullable Throwable failure;

    @Nullable EncodedPayload encoded;

    volatile boolean succeeded;
    Interruption interruption = Interruption.NONE;

    BatchedRun(StartChecks.Allowed job, JobRun forHandler, ResultEncoder<R> encoder) {
        this.message = job.message();
        this.run = job.run();
        this.replaced = job.replaced();
        this.forHandler = forHandler;
        this.encoder = encoder;
    }

    @Override
    public P payload() {
        return Objects.requireNonNull(payload);
    }

    @Override
    public JobRun run() {
        return forHandler;
    }

    @Override
    public void succeed(@Nullable R result) throws Exception {
        encoded = encoder.encode(result);
        succeeded = true;
    }
}
