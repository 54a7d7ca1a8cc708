package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.JonoException;
import dev.jono.Reservation;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Checks deliveries from one queue of a type: whether their jobs may run now. The message of a job that may not is settled here. Called on
 * the threads of handlers. Thread-safe.
 */
final class StartChecks {
    private static final String LOST = "its runner died, or lost its lease";

    private final JobsContext context;
    private final JobType<?, ?> type;
    private final JobPriority priority;
    private final RunEnds ends;
    private final LatestPayloads payloads;

    /** @param priority that of the queue */
    StartChecks(JobsContext context, JobType<?, ?> type, JobPriority priority, RunEnds ends) {
        this.context = context;
        this.type = type;
        this.priority = priority;
        this.ends = ends;
        this.payloads = new LatestPayloads(context);
    }

    /**
     * A job that may run.
     *
     * @param replaced the payload that a duplicate has given to the job; null for that of the message
     */
    record Allowed(
            MessageEnd message, RunImpl run, @Nullable EncodedPayload replaced) {}

    /** Checks a delivery; null if its job does not run now, because it has ended, must wait, or its record cannot be read. */
    @Nullable Allowed check(MessageEnd message, CompletableFuture<Optional<StoredRecord>> read) {
        Reservation<EncodedPayload> delivery = message.delivery();
        StoredRecord record;
        try {
            record = context.answer(read).orElse(null);
        } catch (JonoException failure) {
            waitForStore(message, failure, "the record of job {} could not be read; the job waits for the store");
            return null;
        }
        if (record != null && record.state().isEnded()) {
            message.endAs(record);
            return null;
        }
        Predecessors.Decision others = decideOthers(message);
        JobDocument document = JobDocument.of(Optional.ofNullable(record), delivery, priority);
        boolean latest = UniqueJob.isLatest(delivery.headers());
        boolean choosesPayload = latest && !document.hasChosenPayload();
        if (others == null || (choosesPayload && !choosePayload(message, document))) {
            return null;
        }
        int begun = delivery.attempt() - 1;
        if (begun > 0) {
            document.addLost(begun, now(), "has not ended: " + LOST);
        }
        RunImpl run = new RunImpl(
                context,
                message.id(),
                begun < type.maxAttempts() ? begun + 1 : begun,
                type.keepFailed().toMillis(),
                document,
                record != null);
        EncodedPayload replaced = latest ? document.replacedPayload() : null;
        boolean records = choosesPayload && replaced != null;
        return mayRun(message, run, others) && begins(message, run, document, records)
                ? new Allowed(message, run, replaced)
                : null;
    }

    private void waitForStore(MessageEnd message, JonoException failure, String text) {
        context.outages.warn(JobsContext.LOG, failure, text, message.id());
        message.release(MessageEnd.STORE_AWAY);
    }

    /** What the jobs before it allow; null if the job waits. */
    private Predecessors.@Nullable Decision decideOthers(MessageEnd message) {
        Predecessors others = Predecessors.of(message.delivery().headers());
        if (others == null) {
            return Predecessors.Decision.RUN;
        }
        Predecessors.Decision decision;
        try {
            decision = others.decide(context);
        } catch (JonoException failure) {
            waitForStore(message, failure, "the jobs before job {} could not be read; it waits for the store");
            return null;
        }
        if (decision.verdict() != Predecessors.Verdict.WAIT) {
            return decision;
        }
        message.release(Predecessors.wait(message.delivery().pushedAt(), now()));
        return null;
    }

    /** Frees the unique key, then looks for a newer payload: the order matters, see {@link LatestPayloads}. False if the job waits. */
    private boolean choosePayload(MessageEnd message, JobDocument document) {
        try {
            context.forgetKey(
                    message.id(),
                    Objects.requireNonNull(UniqueJob.of(message.delivery().headers())));
            document.choosePayload(payloads.of(message.id()));
            return true;
        } catch (JonoException failure) {
            waitForStore(message, failure, "the newest payload of job {} could not be read; it waits for the store");
            return false;
        }
    }

    /** Whether the job may run; if not, ends it. */
    private boolean mayRun(MessageEnd message, RunImpl run, Predecessors.Decision others) {
        if (others.verdict() == Predecessors.Verdict.CANCEL) {
            ends.cancel(message, run, others.reason());
            return false;
        }
        if (message.delivery().attempt() > type.maxAttempts()) {
            ends.giveUp(message, run, null, "the last attempt has not ended: " + LOST);
            return false;
        }
        return true;
    }

    /**
     * Whether the first run begins in time; if not, ends the job. Records what the later runs must know.
     *
     * @param document tells whether an earlier run was recorded
     * @param replaced whether this run has found a newer payload: all runs of the job must have the same one
     */
    private boolean begins(MessageEnd message, RunImpl run, JobDocument document, boolean replaced) {
        Reservation<EncodedPayload> delivery = message.delivery();
        Duration limit = type.expiresAfter();
        boolean timed = limit != null && !document.begun();
        if (limit != null
                && timed
                && delivery.attempt() == 1
                && delivery.dueAt().plus(limit).isBefore(now())) {
            ends.expire(message, run, limit);
            return false;
        }
        if (!timed && !replaced) {
            return true;
        }
        RecordChange.Builder change = run.change(RecordState.OPEN, changed -> {
            if (timed) {
                changed.setBegun();
            }
        });
        WriteOutcome outcome;
        try {
            outcome = replaced ? context.write(change.build()) : ends.tryWrite(change);
        } catch (JonoException failure) {
            waitForStore(
                    message, failure, "the newest payload of job {} could not be recorded; it waits for the store");
            return false;
        }
        if (outcome == WriteOutcome.ENDED) {
            message.endAsRecorded();
        }
        return outcome != WriteOutcome.ENDED;
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.clock.wallMillis());
    }
}
