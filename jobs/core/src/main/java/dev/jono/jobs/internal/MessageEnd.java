package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.JonoException;
import dev.jono.Reservation;
import dev.jono.StaleReservationException;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends the message of a delivery. The steps are started before the handler returns to the worker, so the worker does not settle the
 * message in another way, for example because it is stopped. Used by one thread.
 */
final class MessageEnd {
    private static final Duration PROOF = Duration.ofMinutes(1);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** How long a message waits if the record of its job cannot be read. */
    static final Duration STORE_AWAY = Duration.ofSeconds(5);

    private final JobsContext context;
    private final Reservation<EncodedPayload> delivery;
    private final JobId id;
    private final RunnerRuns runs;

    /** @param runs gets the steps that are in flight */
    MessageEnd(JobsContext context, Reservation<EncodedPayload> delivery, JobId id, RunnerRuns runs) {
        this.context = context;
        this.delivery = delivery;
        this.id = id;
        this.runs = runs;
    }

    Reservation<EncodedPayload> delivery() {
        return delivery;
    }

    JobId id() {
        return id;
    }

    /** Whether the lease still belongs to this delivery; extends it. */
    boolean isHeld() {
        try {
            delivery.extend(PROOF);
            return true;
        } catch (StaleReservationException lost) {
            return false;
        }
    }

    /** Returns what completes when the message is acked. */
    CompletableFuture<?> ack() {
        CompletableFuture<?> step = delivery.ackAsync();
        begun(step, "ack");
        context.freeKey(id, delivery.headers());
        if (UniqueJob.isLatest(delivery.headers())) {
            step.thenRun(() -> context.execute(() -> new LatestPayloads(context).removeAfterEnd(id)));
        }
        return step;
    }

    /** Returns what completes when the message is a dead letter. */
    CompletableFuture<?> reject(String reason) {
        CompletableFuture<?> step = delivery.rejectAsync(reason);
        begun(step, "reject");
        context.freeKey(id, delivery.headers());
        return step;
    }

    /** Gives the message back, uncounted. If the job was cancelled meanwhile, it must not wait again. */
    void release(Duration delay) {
        begun(delivery.releaseAsync(delay).thenRunAsync(this::removeIfEnded, context.executor), "release");
    }

    private void removeIfEnded() {
        boolean ended = context.read(id.toString())
                .filter(record -> record.state().isEnded() && record.state() != RecordState.FAILED)
                .isPresent();
        if (ended) {
            context.queues(id.type())
                    .find(id.message())
                    .ifPresent(found -> found.queue().remove(id.message()));
        }
    }

    /** Ends the message of a job that has ended already. */
    void endAs(StoredRecord record) {
        if (record.state() == RecordState.FAILED) {
            reject(JobDocument.ofRecord(record).flatMap(JobDocument::reason).orElse("failed"));
        } else {
            ack();
        }
    }

    /** Reads the record, and ends the message as it says. If it cannot be read, the next delivery does that. */
    void endAsRecorded() {
        Optional<StoredRecord> record;
        try {
            record = context.read(id.toString());
        } catch (JonoException failure) {
            context.outages.warn(JobsContext.LOG, failure, "the record of job {} could not be read", id);
            release(STORE_AWAY);
            return;
        }
        if (record.isPresent() && record.get().state().isEnded()) {
            endAs(record.get());
        } else {
            release(AGAIN); // it was sent back, or its record has expired
        }
    }

    /** A step has begun: the stop of the runner waits for it, and its failure is logged. */
    private void begun(CompletableFuture<?> step, String name) {
        runs.addEnd(step);
        step.whenComplete((done, failure) -> {
            if (failure != null) {
                context.outages.warn(
                        JobsContext.LOG,
                        Answers.unwrap(failure),
                        "{} of the message of job {} failed; it is delivered again after its lease",
                        name,
                        id);
            }
        });
    }
}
