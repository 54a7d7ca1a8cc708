package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.EncodedPayload;
import dev.jono.JonoException;
import dev.jono.RejectException;
import dev.jono.SnoozeException;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the runs of a type: writes the record first, then ends the message. Called on the threads of handlers. Thread-safe. */
final class RunEnds {
    private static final Logger LOG = LoggerFactory.getLogger(JobsContext.LOG);
    private static final int MAX_REASON = 2000;

    private final JobsContext context;
    private final JobType<?, ?> type;

    RunEnds(JobsContext context, JobType<?, ?> type) {
        this.context = context;
        this.type = type;
    }

    /** The job did not start in time. */
    void expire(MessageEnd message, RunImpl run, Duration limit) {
        String reason = "not started within " + Durations.format(limit) + " after its due time";
        FinalWrite write = new FinalWrite(
                context,
                run.change(RecordState.EXPIRED, document -> document.reason(reason))
                        .attempt(0)
                        .keepMillis(type.keepSucceeded().toMillis())
                        .build());
        WriteOutcome outcome = write.store();
        countEnd(message, outcome, RecordState.EXPIRED);
        if (outcome == WriteOutcome.ENDED) {
            message.endAsRecorded();
        } else {
            raiseEnd(message.ack(), outcome, () -> context.events.raise(JobEvent.Kind.EXPIRED, run.jobId(), 0, reason));
        }
    }

    /** The job must not start, because of a job before it. */
    void cancel(MessageEnd message, RunImpl run, String reason) {
        FinalWrite write = new FinalWrite(
                context,
                run.change(RecordState.CANCELLED, document -> document.reason(reason))
                        .attempt(0)
                        .keepMillis(JobChanges.KEEP_CANCELLED.toMillis())
                        .build());
        WriteOutcome outcome = write.store();
        countEnd(message, outcome, RecordState.CANCELLED);
        if (outcome == WriteOutcome.ENDED) {
            message.endAsRecorded();
        } else {
            raiseEnd(
                    message.ack(),
                    outcome,
                    () -> context.events.raise(JobEvent.Kind.CANCELLED, run.jobId(), 0, reason));
        }
    }

    /** The handler has returned. */
    void succeeded(MessageEnd message, RunImpl run, @Nullable EncodedPayload result) {
        if (type.keepSucceeded().isZero() && !run.hasRecord() && batch(message) == null) {
            raiseEnd(message.ack(), null, () -> run.raise(JobEvent.Kind.SUCCEEDED, null));
            return;
        }
        FinalWrite write = new FinalWrite(
                context,
                run.change(RecordState.SUCCEEDED, document -> {
                            document.addAttempt(run.endNow(null));
                            document.reason(null);
                            document.forgetSteps();
                            if (result != null) {
                                document.result(result);
                            }
                        })
                        .keepMillis(type.keepSucceeded().toMillis())
                        .build());
        WriteOutcome outcome = write.store();
        countEnd(message, outcome, RecordState.SUCCEEDED);
        if (outcome == WriteOutcome.ENDED) {
            LOG.info("job {} had ended before; the result of run {} is dropped", run.id(), run.attempt());
            message.endAsRecorded();
        } else {
            raiseEnd(message.ack(), outcome, () -> run.raise(JobEvent.Kind.SUCCEEDED, null));
        }
    }

    /** The handler was interrupted because the runner is forced to stop: the run does not count. */
    void interrupted(MessageEnd message, RunImpl run) {
        reportRest(run);
        run.raise(JobEvent.Kind.INTERRUPTED, null);
        message.release(Duration.ZERO);
    }

    /** The handler has run longer than the timeout. */
    void timedOut(MessageEnd message, RunImpl run, @Nullable Throwable failure) throws Exception {
        failed(message, run, new AttemptTimeoutException(type.timeout(), failure));
    }

    /**
     * The handler has thrown an exception.
     *
     * @throws Exception the failure, if the worker is to retry the message
     */
    void failed(MessageEnd message, RunImpl run, Throwable failure) throws Exception {
        if (failure instanceof SnoozeException snooze) {
            reportRest(run);
            run.raise(JobEvent.Kind.SNOOZED, null);
            message.release(snooze.delay());
            return;
        }
        JobAttempt attempt = run.endNow(text(failure));
        boolean last = failure instanceof GiveUpException
                || failure instanceof RejectException
                || run.attempt() >= type.maxAttempts();
        if (last) {
            giveUp(message, run, attempt, text(failure));
            return;
        }
        WriteOutcome outcome = tryWrite(run.change(RecordState.OPEN, document -> {
            document.addAttempt(attempt);
            document.reason(text(failure));
        }));
        if (outcome == WriteOutcome.STORED) {
            run.raise(JobEvent.Kind.RETRYING, text(failure));
        }
        if (outcome == WriteOutcome.ENDED) {
            message.endAsRecorded();
        } else if (failure instanceof Error error) {
            throw error;
        } else {
            throw (Exception) failure;
        }
    }

    /** Ends the job as failed, if this run still has the lease: another run may succeed. */
    void giveUp(MessageEnd message, RunImpl run, @Nullable JobAttempt attempt, String reason) {
        if (!message.isHeld()) {
            LOG.warn("run {} of job {} failed after it had lost its lease: {}", run.attempt(), run.id(), reason);
            return;
        }
        FinalWrite write = new FinalWrite(
                context,
                run.change(RecordState.FAILED, document -> {
                            if (attempt != null) {
                                document.addAttempt(attempt);
                            }
                            document.reason(reason);
                        })
                        .keepMillis(type.keepFailed().toMillis())
                        .build());
        WriteOutcome outcome = write.store();
        countEnd(message, outcome, RecordState.FAILED);
        if (outcome == WriteOutcome.ENDED) {
            message.endAsRecorded();
        } else {
            LOG.warn("job {} has failed at attempt {}: {}", run.id(), run.attempt(), reason);
            raiseEnd(message.reject(reason), outcome, () -> run.raise(JobEvent.Kind.FAILED, reason));
        }
    }

    /** Counts the end for the job's batch, unless another run has ended the job. */
    private void countEnd(MessageEnd message, @Nullable WriteOutcome outcome, RecordState state) {
        if (outcome != WriteOutcome.ENDED) {
            context.batchCounts.add(batch(message), state, 1);
        }
    }

    private static @Nullable String batch(MessageEnd message) {
        return JobHeaders.batch(message.delivery().headers());
    }

    /** Raises the event of an end. If there is no record of it, the end of the message is the end of the job. */
    private static void raiseEnd(CompletableFuture<?> messageEnd, @Nullable WriteOutcome recorded, Runnable raise) {
        messageEnd.whenComplete((done, failure) -> {
            if (failure == null || recorded == WriteOutcome.STORED) {
                raise.run();
            }
        });
    }

    /** Writes the last reports of a run that does not end its job. */
    private void reportRest(RunImpl run) {
        if (run.hasChanged()) {
            tryWrite(run.change(RecordState.OPEN, document -> {}));
        }
    }

    /** Writes what the job can do without; null if it could not be written. */
    @Nullable WriteOutcome tryWrite(RecordChange.Builder builder) {
        RecordChange change = builder.build();
        try {
            return context.write(change);
        } catch (JonoException failure) {
            context.outages.warn(
                    JobsContext.LOG,
                    failure,
                    "the record of job {} could not be written; the job continues without it",
                    change.id());
            return null;
        }
    }

    private static String text(Throwable failure) {
        return failure instanceof GiveUpException || failure instanceof AttemptTimeoutException
                ? String.valueOf(failure.getMessage())
                : Texts.of(failure, MAX_REASON);
    }

    /** The failure of a run that took too long. */
    private static final class AttemptTimeoutException extends JonoException {
        private static final long serialVersionUID = 1L;

        AttemptTimeoutException(Duration timeout, @Nullable Throwable failure) {
            super("ran longer than " + Durations.format(timeout), null, null, failure);
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // its class says nothing to readers of logs and records
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
