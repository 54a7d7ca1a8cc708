package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates views of jobs from their messages and records. */
final class Views {
    private Views() {}

    private record View(
            String id,
            String type,
            JobState state,
            JobPriority priority,
            EncodedPayload payload,
            Set<String> tags,
            Optional<String> key,
            Optional<String> batch,
            List<String> predecessors,
            Optional<Instant> enqueuedAt,
            Optional<Instant> dueAt,
            int attempt,
            List<JobAttempt> attempts,
            Optional<JobProgress> progress,
            Optional<String> result,
            Optional<String> reason,
            Optional<Instant> endedAt)
            implements JobView {}

    /** The view of an ended job. The message of a failed job may not be in the dead-letter queue yet. */
    static JobView ended(StoredRecord record) {
        JobDocument document = JobDocument.parse(record.document());
        return new View(
                record.id(),
                record.type(),
                state(record.state()),
                document.priority(),
                document.payload(),
                document.tags(),
                document.key(),
                document.batch(),
                List.of(),
                document.enqueuedAt(),
                Optional.empty(),
                record.attempt(),
                document.attempts(),
                document.progress(),
                document.result().map(EncodedPayload::text),
                document.reason(),
                Optional.of(Instant.ofEpochMilli(record.changedMillis())));
    }

    static JobState state(RecordState state) {
        return switch (state) {
            case FAILED -> JobState.FAILED;
            case SUCCEEDED -> JobState.SUCCEEDED;
            case CANCELLED -> JobState.CANCELLED;
            case EXPIRED -> JobState.EXPIRED;
            case OPEN -> throw new IllegalArgumentException("open");
        };
    }

    /**
     * A job that waits or runs.
     *
     * @param newest the payload that a duplicate has given to the job; null if there was none
     */
    static JobView live(
            JobId id, TypeQueues.Found found, @Nullable StoredRecord record, @Nullable EncodedPayload newest) {
        BrowsedMessage<EncodedPayload> message = found.message();
        return live(id, message, state(found), found.priority(), record, newest);
    }

    /** A failed job. */
    static JobView failed(
            JobId id,
            BrowsedMessage<EncodedPayload> message,
            @Nullable StoredRecord record,
            @Nullable EncodedPayload newest) {
        if (record != null && record.state() == RecordState.FAILED) {
            return ended(record);
        }
        return live(
                id,
                message,
                JobState.FAILED,
                Lane.ofDeadLetter(message.headers(), JobPriority.NORMAL).priority(),
                record,
                newest);
    }

    private static JobView live(
            JobId id,
            BrowsedMessage<EncodedPayload> message,
            JobState state,
            JobPriority priority,
            @Nullable StoredRecord record,
            @Nullable EncodedPayload newest) {
        JobDocument document = JobDocument.of(Optional.ofNullable(record), message, priority);
        Headers headers = message.headers();
        return new View(
                id.toString(),
                id.type(),
                state,
                priority,
                Objects.requireNonNullElse(
                        document.hasChosenPayload() ? document.replacedPayload() : newest, message.raw()),
                JobHeaders.tags(headers),
                Optional.ofNullable(headers.string(Headers.KEY)),
                Optional.ofNullable(JobHeaders.batch(headers)),
                Optional.ofNullable(Predecessors.of(headers))
                        .map(Predecessors::ids)
                        .orElse(List.of()),
                document.enqueuedAt(),
                Optional.of(message.dueAt()),
                message.tries() + (state == JobState.RUNNING ? 1 : 0),
                document.attempts(),
                document.progress(),
                Optional.empty(),
                document.reason().or(() -> Optional.ofNullable(headers.string(Headers.DL_ERROR))),
                Optional.empty());
    }

    private static JobState scheduled(BrowsedMessage<EncodedPayload> message) {
        if (message.tries() > 0) {
            return JobState.RETRYING;
        }
        return Predecessors.of(message.headers()) == null ? JobState.SCHEDULED : JobState.BLOCKED;
    }

    private static JobState state(TypeQueues.Found found) {
        BrowsedMessage<EncodedPayload> message = found.message();
        return switch (message.state()) {
            case RESERVED -> JobState.RUNNING;
            case BLOCKED -> JobState.BLOCKED;
            case SCHEDULED -> scheduled(message);
            case READY, PROCESSED -> found.queue().isPaused() ? JobState.BLOCKED : JobState.WAITING;
        };
    }
}
