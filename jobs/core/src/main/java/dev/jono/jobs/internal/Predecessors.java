package dev.jono.jobs.internal;

import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.jobs.AfterFailure;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The jobs after which a job starts. A header of its message keeps their ids. A runner that gets the message looks at their records; while
 * one has not ended, it gives the message back with a delay that grows with the time since the enqueue.
 *
 * @param failure what the job does if one has not succeeded
 * @param ids their ids
 */
record Predecessors(AfterFailure failure, List<String> ids) {
    private static final String HEADER = "job-after";
    private static final Duration SHORTEST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int PART_OF_AGE = 10;

    /** What the others allow. */
    enum Verdict {
        /** The job can run. */
        RUN,
        /** One of them has not ended. */
        WAIT,
        /** One of them has not succeeded, and the job is to be cancelled. */
        CANCEL
    }

    /**
     * A verdict.
     *
     * @param reason for {@link Verdict#CANCEL}; otherwise empty
     */
    record Decision(Verdict verdict, String reason) {
        /** That of a job without others before it. */
        static final Decision RUN = new Decision(Verdict.RUN, "");
    }

    static PushOptions addTo(PushOptions push, EnqueueOptions options) {
        return options.predecessors().isEmpty()
                ? push
                : push.header(HEADER, options.afterFailure() + "," + String.join(",", options.predecessors()));
    }

    /** Those of a message; null for none. */
    static @Nullable Predecessors of(Headers headers) {
        String text = headers.string(HEADER);
        if (text == null) {
            return null;
        }
        List<String> parts = List.of(text.split(",", -1));
        return new Predecessors(AfterFailure.valueOf(parts.get(0)), parts.subList(1, parts.size()));
    }

    /** Looks at their records. */
    Decision decide(JobsContext context) {
        List<CompletableFuture<Optional<StoredRecord>>> reads = new ArrayList<>();
        ids.forEach(id -> reads.add(context.reads.add(id)));
        Decision decision = Decision.RUN;
        for (int i = 0; i < ids.size(); i++) {
            Decision one =
                    decide(context, ids.get(i), context.answer(reads.get(i)).orElse(null));
            if (one.verdict == Verdict.CANCEL) {
                return one;
            }
            decision = one.verdict == Verdict.WAIT ? one : decision;
        }
        return decision;
    }

    private Decision decide(JobsContext context, String id, @Nullable StoredRecord record) {
        RecordState state = record == null ? stateWithoutRecord(context, JobId.parse(id)) : record.state();
        if (state == RecordState.SUCCEEDED || (state.isEnded() && failure == AfterFailure.RUN)) {
            return Decision.RUN;
        }
        return state.isEnded() && failure == AfterFailure.CANCEL
                ? new Decision(Verdict.CANCEL, "job " + id + " before it has not succeeded")
                : new Decision(Verdict.WAIT, "");
    }

    /** A job that is gone counts as succeeded. */
    private static RecordState stateWithoutRecord(JobsContext context, JobId id) {
        TypeQueues queues = context.queues(id.type());
        if (queues.find(id.message()).isPresent()) {
            return RecordState.OPEN;
        }
        return queues.failed().get(id.message()).isPresent() ? RecordState.FAILED : RecordState.SUCCEEDED;
    }

    /**
     * How long the job waits until the next look.
     *
     * @param enqueued the time of the enqueue; empty if the storage does not keep it
     */
    static Duration wait(Optional<Instant> enqueued, Instant now) {
        Duration wait = enqueued.map(time -> Duration.between(time, now).dividedBy(PART_OF_AGE))
                .orElse(SHORTEST);
        return wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
