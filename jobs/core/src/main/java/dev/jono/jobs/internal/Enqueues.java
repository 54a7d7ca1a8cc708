package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.PartialFailureException;
import dev.jono.PushResult;
import dev.jono.Tx;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.UniqueMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Enqueues jobs. Thread-safe. */
final class Enqueues {
    /** How often a job is pushed again because the owner of its unique key is gone. */
    private static final int MAX_PUSHES = 5;

    private final JobsImpl jobs;
    private final JobsContext context;
    private final LatestEnqueue latest;

    Enqueues(JobsImpl jobs, JobsContext context) {
        this.jobs = jobs;
        this.context = context;
        this.latest = new LatestEnqueue(context);
    }

    <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        JobDraft<P, R> draft = JobDraft.of(context, type, payload, options.apply(EnqueueOptions.none()), null);
        return settled(draft, draft.push(), 1);
    }

    <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(
            JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return enqueueAsync(JobDraft.of(context, type, payload, options.apply(EnqueueOptions.none()), null));
    }

    private <P, R> CompletableFuture<JobHandle<R>> enqueueAsync(JobDraft<P, R> draft) {
        refuseTransaction(draft);
        CompletableFuture<PushResult> pushed = draft.pushAsync();
        return draft.uniqueKey() == null
                ? pushed.thenApply(result -> handle(draft, result))
                : pushed.thenApplyAsync(result -> settled(draft, result, 1), context.executor);
    }

    private static void refuseTransaction(JobDraft<?, ?> draft) {
        if (draft.inTransaction()) {
            throw new IllegalArgumentException("async enqueue of a job of type '" + draft.type()
                    + "' in a transaction: it would use the connection of the transaction on this thread; use enqueue or"
                    + " enqueueAll");
        }
    }

    <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        return enqueueAll(type, payloads, options, null);
    }

    /** @param batch the name of the batch of the jobs; null for none */
    <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type,
            List<? extends P> payloads,
            UnaryOperator<EnqueueOptions> options,
            @Nullable String batch) {
        EnqueueOptions chosen = checked(type, payloads, options);
        if (haveKeys(type, chosen)) {
            List<JobDraft<P, R>> drafts = drafts(type, payloads, options, batch);
            return drafts.stream().anyMatch(JobDraft::inTransaction)
                    ? drafts.stream()
                            .map(draft -> settled(draft, draft.push(), 1))
                            .toList()
                    : startEach(drafts).stream().map(Answers::join).toList();
        }
        if (payloads.isEmpty()) {
            return List.of();
        }
        JobDraft<P, R> first = JobDraft.of(context, type, payloads.get(0), chosen, batch);
        try {
            return handles(first, first.queue().pushAll(payloads, first.options()));
        } catch (PartialFailureException partly) {
            raiseStored(first, partly);
            throw partly;
        }
    }

    <P, R> CompletableFuture<List<JobHandle<R>>> enqueueAllAsync(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        EnqueueOptions chosen = checked(type, payloads, options);
        if (haveKeys(type, chosen)) {
            List<JobDraft<P, R>> drafts = drafts(type, payloads, options, null);
            drafts.forEach(Enqueues::refuseTransaction); // before the first of them is sent
            List<CompletableFuture<JobHandle<R>>> started = startEach(drafts);
            return CompletableFuture.allOf(started.toArray(CompletableFuture<?>[]::new))
                    .thenApply(done -> started.stream().map(Answers::join).toList());
        }
        if (payloads.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        JobDraft<P, R> first = JobDraft.of(context, type, payloads.get(0), chosen, null);
        refuseTransaction(first);
        return first.queue()
                .pushAllAsync(payloads, first.options())
                .whenComplete((results, failure) -> {
                    if (failure != null && Answers.unwrap(failure) instanceof PartialFailureException partly) {
                        raiseStored(first, partly);
                    }
                })
                .thenApply(results -> handles(first, results));
    }

    private static <P> EnqueueOptions checked(
            JobType<P, ?> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        for (P payload : payloads) {
            Objects.requireNonNull(
                    payload, () -> "a payload of the list of jobs of type '" + type + "'; none was enqueued");
        }
        return options.apply(EnqueueOptions.none());
    }

    /** Whether each job of a list can have a key of its own. */
    private static boolean haveKeys(JobType<?, ?> type, EnqueueOptions options) {
        return options.uniqueKey() != null || type.hasUniqueKeys() || type.hasKeys();
    }

    private <P, R> List<JobDraft<P, R>> drafts(
            JobType<P, R> type,
            List<? extends P> payloads,
            UnaryOperator<EnqueueOptions> options,
            @Nullable String batch) {
        List<JobDraft<P, R>> drafts = new ArrayList<>();
        for (P payload : payloads) {
            drafts.add(JobDraft.of(context, type, payload, options.apply(EnqueueOptions.none()), batch));
        }
        return drafts;
    }

    private <R> List<JobHandle<R>> handles(JobDraft<?, R> first, List<PushResult> results) {
        return results.stream().map(result -> handle(first, result)).toList();
    }

    private void raiseStored(JobDraft<?, ?> first, PartialFailureException partly) {
        partly.results().stream()
                .filter(result -> result.failure() == null)
                .forEach(result -> raise(first, result.id(), false));
    }

    private void raise(JobDraft<?, ?> draft, @Nullable String message, boolean duplicate) {
        if (message == null) {
            return;
        }
        JobId id = new JobId(draft.type().name(), message);
        JobEvent.Kind kind = duplicate ? JobEvent.Kind.DEDUPLICATED : JobEvent.Kind.ENQUEUED;
        Optional<Tx> tx = draft.options().tx();
        if (tx.isEmpty()) {
            context.events.raise(kind, id, 0, null);
            return;
        }
        tx.get().onEnd(committed -> {
            if (committed) {
                context.events.raise(kind, id, 0, null);
            }
        });
    }

    /**
     * Pushes of different keys are different pushes; the queue keeps their order, and stores them together. Jobs that replace the payload
     * of a waiting one are enqueued one after the other for each key, so that the last payload of the list counts.
     */
    private <P, R> List<CompletableFuture<JobHandle<R>>> startEach(List<JobDraft<P, R>> drafts) {
        List<CompletableFuture<JobHandle<R>>> started = new ArrayList<>();
        Map<String, CompletableFuture<JobHandle<R>>> last = new HashMap<>();
        for (JobDraft<P, R> draft : drafts) {
            String key = draft.encoded() == null ? null : draft.uniqueKey();
            CompletableFuture<JobHandle<R>> before = key == null ? null : last.get(key);
            CompletableFuture<JobHandle<R>> each = before == null
                    ? enqueueAsync(draft)
                    : before.handle((done, failure) -> draft).thenCompose(this::enqueueAsync);
            started.add(each);
            if (key != null) {
                last.put(key, each);
            }
        }
        return started;
    }

    /** The handle of a pushed job. If the push was a duplicate of a job that has freed its key since, pushes again. */
    private <R> JobHandle<R> settled(JobDraft<?, R> draft, PushResult result, int pushes) {
        EncodedPayload newest = draft.encoded();
        if (newest != null) {
            return handle(draft, latest.settle(draft, newest, result));
        }
        // Another push in a transaction would not see that the key was freed outside of it.
        if (!result.duplicate() || pushes == MAX_PUSHES || draft.inTransaction()) {
            return handle(draft, result);
        }
        JobId owner = new JobId(draft.type().name(), result.id());
        if (holdsKey(draft, owner)) {
            return handle(draft, result);
        }
        draft.forgetKeyOf(owner);
        return settled(draft, draft.push(), pushes + 1);
    }

    /** Whether a job still has the key. If a process died between two steps, the key can outlive its job. */
    private boolean holdsKey(JobDraft<?, ?> draft, JobId owner) {
        if (draft.mode().window() != null) {
            return true;
        }
        Optional<JobState> state = jobs.get(owner.toString()).map(JobView::state);
        if (draft.mode().equals(UniqueMode.UNTIL_STARTED)) {
            return state.filter(now -> now != JobState.RUNNING && now != JobState.RETRYING && !now.isEnded())
                    .isPresent();
        }
        return state.filter(now -> !now.isEnded()).isPresent();
    }

    private <R> JobHandle<R> handle(JobDraft<?, R> draft, PushResult result) {
        raise(draft, result.id(), result.duplicate());
        return new HandleImpl<>(jobs, context, draft.type(), result.id(), result.duplicate());
    }
}
