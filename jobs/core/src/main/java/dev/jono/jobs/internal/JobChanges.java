package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.RemoveOutcome;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobView;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.RunningJob;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes single jobs by hand. Called on the threads of users. Thread-safe. */
final class JobChanges {
    private static final int MAX_REASON = 2000;
    /** How long the record of a cancelled job is kept. */
    static final Duration KEEP_CANCELLED = Duration.ofHours(24);

    private final JobsContext context;
    private final LatestPayloads payloads;

    private final RunnerEntries runners;

    JobChanges(JobsContext context, RunnerEntries runners) {
        this.context = context;
        this.runners = runners;
        this.payloads = new LatestPayloads(context);
    }

    /** Cancels a job; false if it had ended before, or is gone. */
    boolean cancel(String id, String reason) {
        JobId job = JobId.parse(id);
        String text = Texts.cut(Objects.requireNonNull(reason, "reason"), MAX_REASON);
        Optional<StoredRecord> record = context.read(id);
        TypeQueues queues = context.queues(job.type());
        if (record.filter(r -> r.state().isEnded()).isPresent()) {
            return false;
        }
        TypeQueues.Removal removal = queues.remove(job.message()).orElse(null);
        if (removal == null) {
            return false;
        }
        TypeQueues.Found found = removal.found();
        boolean held = removal.outcome() == RemoveOutcome.HELD;
        int attempt = found.message().tries() + (held ? 1 : 0);
        if (!storeCancel(job, found, record, held ? cancelledRun(id, attempt) : null, attempt, text)) {
            return false; // a runner was faster
        }
        context.batchCounts.add(JobHeaders.batch(found.message().headers()), RecordState.CANCELLED, 1);
        context.freeKey(job, found.message().headers());
        if (UniqueJob.isLatest(found.message().headers())) {
            payloads.removeAfterEnd(job);
        }
        if (held) {
            context.running.stream()
                    .filter(run -> run.id().equals(id))
                    .forEach(run -> run.interrupt(RunImpl.Interruption.ENDED));
            queues.find(job.message()).ifPresent(again -> again.queue().remove(job.message())); // given back meanwhile
        }
        context.events.raise(JobEvent.Kind.CANCELLED, job, attempt, text);
        return true;
    }

    /** The run that the cancel of its job ends, as far as it is known here. Its record is final: the runner does not add to it. */
    private JobAttempt cancelledRun(String id, int attempt) {
        String error = "cancelled";
        Optional<JobAttempt> here = context.running.stream()
                .filter(run -> run.id().equals(id))
                .map(run -> run.endNow(error))
                .findFirst();
        if (here.isPresent()) {
            return here.get();
        }
        Instant now = Instant.ofEpochMilli(context.clock.wallMillis());
        for (RunnerView runner : runners.all()) {
            for (RunningJob run : runner.jobs()) {
                if (run.id().equals(id) && run.attempt() == attempt) {
                    return new JobAttempt(attempt, runner.name(), null, run.startedAt(), now, error);
                }
            }
        }
        return new JobAttempt(attempt, "", null, null, now, error);
    }

    /** Writes the record of a cancelled job; false if the job had ended before. */
    private boolean storeCancel(
            JobId job,
            TypeQueues.Found found,
            Optional<StoredRecord> record,
            @Nullable JobAttempt run,
            int attempt,
            String reason) {
        JobDocument document = JobDocument.of(record, found.message(), found.priority());
        if (run != null) {
            document.addAttempt(run);
        }
        document.reason(reason);
        if (UniqueJob.isLatest(found.message().headers()) && !document.hasChosenPayload()) {
            document.choosePayload(payloads.of(job));
        }
        RecordChange change = RecordChange.builder()
                .id(job.toString())
                .type(job.type())
                .attempt(attempt)
                .state(RecordState.CANCELLED)
                .document(document.text())
                .tags(JobTags.of(document))
                .keepMillis(KEEP_CANCELLED.toMillis())
                .build();
        return context.write(change) == WriteOutcome.STORED;
    }

    /** Retries a failed job; false if it has not failed, or is gone. */
    boolean retry(String id) {
        JobId job = JobId.parse(id);
        TypeQueues queues = context.queues(job.type());
        Optional<StoredRecord> record = context.read(id);
        if (record.isPresent() && record.get().state() == RecordState.FAILED) {
            // Its runner may have died before it moved the message.
            queues.find(job.message())
                    .ifPresent(found -> found.queue().moveIdle(job.message(), TypeQueues.failedName(job.type())));
        }
        BrowsedMessage<EncodedPayload> message =
                queues.failed().get(job.message()).orElse(null);
        if (message == null || !reopened(job, record)) {
            return false;
        }
        JobPriority recorded = record.map(
                        known -> JobDocument.parse(known.document()).priority())
                .orElse(JobPriority.NORMAL);
        Lane lane = Lane.ofDeadLetter(message.headers(), recorded);
        if (lane == Lane.KEYED) {
            context.openKeyed(job.type(), JobHeaders.limitPerKey(message.headers()));
        }
        if (queues.failed().moveIdle(job.message(), lane.queue(job.type())) != EditOutcome.DONE) {
            return false;
        }
        if (record.filter(known -> known.state() == RecordState.FAILED).isPresent()) {
            context.batchCounts.add(JobHeaders.batch(message.headers()), RecordState.FAILED, -1);
        }
        context.events.raise(JobEvent.Kind.ENQUEUED, job, 0, null);
        return true;
    }

    /** Reopens the record of a failed job, if it has one; false if the job has ended in another way. */
    private boolean reopened(JobId job, Optional<StoredRecord> record) {
        if (record.isEmpty() || record.get().state() == RecordState.OPEN) {
            return true;
        }
        JobDocument document = JobDocument.parse(record.get().document());
        document.reason(null);
        RecordChange change = RecordChange.builder()
                .id(job.toString())
                .type(job.type())
                .reopens(true)
                .document(document.text())
                .tags(JobTags.of(document))
                .keepMillis(record.map(StoredRecord::keepUntilMillis)
                        .map(until -> Math.max(1, until - record.get().changedMillis()))
                        .orElse(null))
                .build();
        return context.write(change) == WriteOutcome.STORED;
    }

    /** Removes a job with its record; false if it is running or gone. */
    boolean remove(String id) {
        JobId job = JobId.parse(id);
        TypeQueues queues = context.queues(job.type());
        Optional<TypeQueues.Removal> removal = queues.remove(job.message());
        if (removal.filter(each -> each.outcome() == RemoveOutcome.HELD).isPresent()) {
            return false;
        }
        removal.ifPresent(each -> {
            Headers headers = each.found().message().headers();
            context.freeKey(job, headers);
            if (UniqueJob.isLatest(headers)) {
                payloads.removeAfterEnd(job);
            }
            context.batchCounts.add(JobHeaders.batch(headers), RecordState.CANCELLED, 1);
        });
        boolean failed = queues.failed().remove(job.message()) == RemoveOutcome.REMOVED;
        boolean recorded = context.change(context.store.remove(List.of(id))).get(0);
        if (removal.isEmpty() && !failed && !recorded) {
            return false;
        }
        context.events.raise(JobEvent.Kind.REMOVED, job, 0, null);
        return true;
    }

    /** Makes a job due; false if it is running, has ended, or is gone. */
    boolean runNow(String id) {
        JobId job = JobId.parse(id);
        EditOutcome outcome = makeDue(job);
        // Its message may have moved into the queue of another priority.
        return (outcome == EditOutcome.ABSENT ? makeDue(job) : outcome) == EditOutcome.DONE;
    }

    private EditOutcome makeDue(JobId job) {
        TypeQueues.Found found = context.queues(job.type()).find(job.message()).orElse(null);
        if (found == null) {
            return EditOutcome.ABSENT;
        }
        return switch (found.message().state()) {
            case SCHEDULED -> found.queue().reschedule(job.message(), Duration.ZERO);
            case READY, BLOCKED -> EditOutcome.DONE;
            case RESERVED, PROCESSED -> EditOutcome.HELD;
        };
    }

    /** Enqueues a copy of a job; returns its id. */
    String rerun(JobView ended) {
        String type = ended.type();
        JobId copy = new JobId(type, pushCopy(type, ended));
        context.events.raise(JobEvent.Kind.ENQUEUED, copy, 0, null);
        return copy.toString();
    }

    private String pushCopy(String type, JobView view) {
        PushOptions options = JobHeaders.withTags(PushOptions.none(), view.tags());
        Lane lane = Lane.of(view.priority());
        int limitPerKey = 1;
        if (view.key().isPresent()) {
            lane = Lane.KEYED;
            int recorded = context.read(view.id())
                    .flatMap(JobDocument::ofRecord)
                    .map(JobDocument::limitPerKey)
                    .orElse(1);
            limitPerKey = context.limitPerKey(type, recorded);
            options = JobHeaders.withKey(options, view.key().get(), limitPerKey);
        }
        return TypeQueues.open(context.jono, type, lane, limitPerKey)
                .push(view.payload(), options)
                .id();
    }
}
