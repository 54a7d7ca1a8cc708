package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoException;
import dev.jono.PushOptions;
import dev.jono.jobs.BatchOptions;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Batches: each is an entry of the job store, with its numbers. A job is counted before it is enqueued, and again after its end is
 * recorded. So a batch is never complete too early; if a process dies in between, {@link BatchAudit} completes it. Blocks the calling
 * thread; thread-safe.
 */
final class JobBatches {
    /** The kind of the entries. */
    static final String KIND = "batch";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,80}");
    private static final Duration CALLBACK_WINDOW = Duration.ofDays(30);
    private static final List<RecordState> NOT_SUCCEEDED =
            List.of(RecordState.FAILED, RecordState.CANCELLED, RecordState.EXPIRED);

    private final JobsContext context;
    private final EntryEditor entries;

    JobBatches(JobsContext context) {
        this.context = context;
        this.entries = new EntryEditor(context, KIND);
        context.batchCounts.countWith(this::count);
    }

    /** Creates a batch, unless it exists. */
    void open(String name, BatchOptions options) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "batch name '" + name + "' is not allowed: 1 to 80 letters, digits or _ . -");
        }
        BatchDocument created = BatchDocument.create();
        options.callbacks().forEach((when, callback) -> created.callback(when, encoded(name, callback)));
        entries.repeat(name, current -> {
            if (current.entry() != null) {
                return Optional.of(false);
            }
            created.changedAt(current.now());
            return entries.store(current, created.text()) ? Optional.of(true) : Optional.empty();
        });
    }

    private <P> BatchDocument.Callback encoded(String name, BatchOptions.Callback<P> callback) {
        JobType<P, ?> type = callback.type();
        try {
            EncodedPayload payload = context.<P>codec(type.payloadType()).encode(callback.payload(), Headers.empty());
            return new BatchDocument.Callback(type.name(), type.priority(), payload);
        } catch (Exception failure) {
            throw new IllegalArgumentException("a callback of batch '" + name + "' cannot be encoded", failure);
        }
    }

    Optional<BatchView> view(String name) {
        return Optional.ofNullable(entries.current(name).entry())
                .map(entry -> BatchDocument.parse(entry.document()).view(name));
    }

    List<BatchView> list(String after, int limit) {
        return entries.list(after, limit).entries().stream()
                .map(entry -> BatchDocument.parse(entry.document()).view(entry.name()))
                .toList();
    }

    /**
     * Counts jobs that are about to be enqueued; fewer if negative.
     *
     * @throws IllegalStateException if the batch is complete or gone
     */
    void add(String name, String type, long jobs) {
        entries.repeat(name, current -> {
            BatchDocument batch = current.entry() == null
                    ? null
                    : BatchDocument.parse(current.entry().document());
            if (batch == null || batch.state().isComplete()) {
                throw new IllegalStateException(
                        "batch '" + name + "' is " + (batch == null ? "gone" : "complete") + ": no job can be added");
            }
            batch.add(type, jobs);
            batch.changedAt(current.now());
            return entries.store(current, batch.text()) ? Optional.of(true) : Optional.empty();
        });
    }

    /** Closes a batch; completes it if all its jobs have ended. */
    void close(String name) {
        entries.repeat(name, current -> {
            BatchDocument batch = current.entry() == null
                    ? null
                    : BatchDocument.parse(current.entry().document());
            if (batch == null || batch.state() != BatchView.State.OPEN) {
                return Optional.of(false);
            }
            batch.state(BatchView.State.CLOSED);
            batch.changedAt(current.now());
            return completeIfFull(current, batch);
        });
    }

    private void count(String name, Map<RecordState, Long> ends) {
        try {
            entries.repeat(name, current -> {
                if (current.entry() == null) {
                    return Optional.of(false);
                }
                BatchDocument batch = BatchDocument.parse(current.entry().document());
                if (batch.state().isComplete()) {
                    return Optional.of(false);
                }
                ends.forEach(batch::ended);
                batch.changedAt(current.now());
                return completeIfFull(current, batch);
            });
        } catch (JonoException failure) {
            context.outages.warn(
                    JobsContext.LOG,
                    failure,
                    "ends of jobs of batch '{}' could not be counted; an audit finds them",
                    name);
        }
    }

    private Optional<Boolean> completeIfFull(EntryEditor.Current current, BatchDocument batch) {
        BatchView view = batch.view(current.name());
        if (batch.state() == BatchView.State.CLOSED && view.ended() >= view.added()) {
            return complete(current, batch);
        }
        return entries.store(current, batch.text()) ? Optional.of(true) : Optional.empty();
    }

    /** Enqueues the callbacks first. If another change of the batch comes first, they are enqueued again, as duplicates. */
    Optional<Boolean> complete(EntryEditor.Current current, BatchDocument batch) {
        String name = current.name();
        boolean success = !anyNotSucceeded(name, batch);
        enqueue(name, batch, BatchOptions.When.COMPLETE);
        enqueue(name, batch, success ? BatchOptions.When.SUCCESS : BatchOptions.When.FAILURE);
        batch.state(success ? BatchView.State.SUCCEEDED : BatchView.State.FAILED);
        batch.changedAt(current.now());
        return entries.store(current, batch.text()) ? Optional.of(true) : Optional.empty();
    }

    /** The records decide: after a crash the numbers can be too small. */
    private boolean anyNotSucceeded(String name, BatchDocument batch) {
        BatchView view = batch.view(name);
        if (view.ended() > view.succeeded()) {
            return true;
        }
        for (String type : batch.types()) {
            for (RecordState state : NOT_SUCCEEDED) {
                RecordQuery query = new RecordQuery(type, state, JobTags.ofBatch(name), null, 1);
                if (!context.answer(context.store.find(query)).isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void enqueue(String name, BatchDocument batch, BatchOptions.When when) {
        batch.callback(when).ifPresent(callback -> {
            PushOptions options = JobHeaders.withTags(PushOptions.none(), Set.of("batch:" + name))
                    .unique(UniqueJob.scope(callback.type()) + ":batches", name + '/' + when, CALLBACK_WINDOW);
            context.queues(callback.type())
                    .waiting(Lane.of(callback.priority()))
                    .push(callback.payload(), options);
        });
    }
}
