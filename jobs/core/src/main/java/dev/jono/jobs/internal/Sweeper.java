package dev.jono.jobs.internal;

import dev.jono.RemoveOutcome;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Removes the records whose retention has ended, with the messages of failed jobs, and those of more succeeded jobs than a type keeps.
 * The record of a job that has not ended is kept as long as its message is there. One sweep at a time per factory. Thread-safe.
 */
final class Sweeper {
    private static final int MAX_RECORDS = 200;
    private static final int MAX_BATCHES = 50;
    private static final Duration POSTPONEMENT = Duration.ofHours(1);

    private final JobsContext context;
    private final OldRecords oldRecords;
    private final AtomicBoolean busy = new AtomicBoolean();

    Sweeper(JobsContext context) {
        this.context = context;
        this.oldRecords = new OldRecords(context);
    }

    /** Starts a sweep, if none is in progress. Blocks only for the looks at single messages. */
    void sweep() {
        if (busy.compareAndSet(false, true)) {
            sweep(MAX_BATCHES).thenCompose(done -> oldRecords.sweep()).whenComplete((done, failure) -> {
                busy.set(false);
                if (failure != null) {
                    context.outages.warn(
                            JobsContext.LOG,
                            Answers.unwrap(failure),
                            "old records could not be removed; the next sweep removes them");
                }
            });
        }
    }

    /** Removes up to this many batches; the number of records in the last one. */
    private CompletionStage<Integer> sweep(int batches) {
        return context.store
                .expired(MAX_RECORDS)
                .thenComposeAsync(expired -> remove(expired), context.executor)
                .thenCompose(size -> size < MAX_RECORDS || batches == 1
                        ? CompletableFuture.completedFuture(size)
                        : sweep(batches - 1));
    }

    private CompletionStage<Integer> remove(List<StoredRecord> expired) {
        List<String> over = new ArrayList<>();
        List<String> postponed = new ArrayList<>();
        for (StoredRecord record : expired) {
            (mayGo(record) ? over : postponed).add(record.id());
        }
        return context.store
                .postpone(postponed, POSTPONEMENT.toMillis())
                .thenCompose(done -> context.store.removeExpired(over))
                .thenApply(removed -> expired.size());
    }

    private boolean mayGo(StoredRecord record) {
        try {
            return switch (record.state()) {
                case FAILED -> removeFailed(JobId.parse(record.id()));
                case OPEN -> !isLive(JobId.parse(record.id()));
                case SUCCEEDED, CANCELLED, EXPIRED -> true;
            };
        } catch (RuntimeException failure) {
            context.outages.warn(JobsContext.LOG, failure, "the message of job {} could not be removed", record.id());
            return false;
        }
    }

    /** Removes the message of a failed job; false if it has not reached the dead letters yet. */
    private boolean removeFailed(JobId id) {
        TypeQueues queues = context.queues(id.type());
        if (queues.failed().remove(id.message()) != RemoveOutcome.ABSENT) {
            return true;
        }
        if (queues.find(id.message()).isPresent()) {
            return false;
        }
        queues.failed().remove(id.message()); // it may have arrived between the two looks
        return true;
    }

    private boolean isLive(JobId id) {
        TypeQueues queues = context.queues(id.type());
        return queues.find(id.message()).isPresent()
                || queues.failed().get(id.message()).isPresent();
    }
}
