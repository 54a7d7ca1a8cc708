package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.UniqueMode;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A job that is to be enqueued.
 *
 * @param uniqueKey its unique key; null for none
 * @param mode how long it keeps the key
 * @param encoded the payload that a duplicate gives to the waiting job; null if it gives none
 */
record JobDraft<P, R>(
        JobType<P, R> type,
        P payload,
        MessageQueue<P> queue,
        PushOptions options,
        @Nullable String uniqueKey,
        UniqueMode mode,
        @Nullable EncodedPayload encoded) {

    /**
     * Combines the settings of the type and the options of the job.
     *
     * @param batch the name of the batch of the job; null for none
     */
    static <P, R> JobDraft<P, R> of(
            JobsContext context, JobType<P, R> type, P payload, EnqueueOptions options, @Nullable String batch) {
        Objects.requireNonNull(payload, () -> "payload of a job of type '" + type + "'");
        String key = options.uniqueKey() != null ? options.uniqueKey() : type.uniqueKey(payload);
        UniqueMode mode = options.uniqueMode() != null ? options.uniqueMode() : type.uniqueMode();
        boolean latest = key != null && mode.equals(UniqueMode.LATEST);
        String orderingKey = options.key() != null ? options.key() : type.key(payload);
        if (key != null && latest) {
            orderingKey = LatestEnqueue.orderingKey(type, key, orderingKey, options);
        }
        if (orderingKey != null && !type.hasKeys()) {
            throw new IllegalArgumentException(
                    "job of type '" + type + "' with the ordering key '" + orderingKey
                            + "' is not run, because its type has no ordering keys: define JobType.key(...); its function may return null");
        }
        MessageQueue<P> queue = context.enqueueQueues.queue(
                type, lane(type, orderingKey, options), () -> context.codec(type.payloadType()));
        Instant dueAt = options.dueAt();
        PushOptions push = JobHeaders.withTags(
                dueAt != null ? PushOptions.at(dueAt) : PushOptions.delay(options.delay()), options.tags());
        push = Predecessors.addTo(push, options);
        push = batch == null ? push : JobHeaders.withBatch(push, batch);
        if (options.tx() != null) {
            refuseSteps(type, latest, batch);
            push = push.in(options.tx());
        }
        if (orderingKey != null) {
            push = JobHeaders.withKey(push, orderingKey, type.limitPerKey());
        }
        return new JobDraft<>(
                type,
                payload,
                queue,
                key == null ? push : UniqueJob.addTo(push, type.name(), key, mode),
                key,
                mode,
                latest ? LatestEnqueue.encode(context, type, payload) : null);
    }

    private static void refuseSteps(JobType<?, ?> type, boolean latest, @Nullable String batch) {
        if (latest || batch != null) {
            throw new IllegalArgumentException("job of type '" + type + "' cannot be enqueued in a transaction: "
                    + (latest ? "the mode 'latest' of its unique key" : "batch '" + batch + "'")
                    + " needs steps that are not part of it");
        }
    }

    private static Lane lane(JobType<?, ?> type, @Nullable String orderingKey, EnqueueOptions options) {
        JobPriority priority = options.priority();
        if (orderingKey == null) {
            return Lane.of(priority == null ? type.priority() : priority);
        }
        if (priority != null) {
            throw new IllegalArgumentException("job of type '" + type + "' with the ordering key '" + orderingKey
                    + "' cannot have the priority " + priority + ": jobs with keys run in the order of their keys");
        }
        return Lane.KEYED;
    }

    boolean inTransaction() {
        return options.tx().isPresent();
    }

    PushResult push() {
        return queue.push(payload, options);
    }

    CompletableFuture<PushResult> pushAsync() {
        return queue.pushAsync(payload, options);
    }

    /** Frees the unique key, if this job still owns it. */
    void forgetKeyOf(JobId owner) {
        queue.forget(UniqueJob.scope(type.name()), Objects.requireNonNull(uniqueKey), owner.message());
    }
}
