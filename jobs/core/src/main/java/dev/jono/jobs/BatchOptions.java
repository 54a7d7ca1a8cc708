package dev.jono.jobs;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The jobs that a batch enqueues when it is complete, each once. Immutable: each method returns a changed copy. */
public final class BatchOptions {
    private static final BatchOptions NONE = new BatchOptions(new EnumMap<>(When.class));

    private final Map<When, Callback<?>> callbacks;

    /** When a batch enqueues a job. */
    public enum When {
        /** The batch is complete. */
        COMPLETE,
        /** The batch is complete, and all its jobs have succeeded. */
        SUCCESS,
        /** The batch is complete, and some of its jobs have not succeeded. */
        FAILURE
    }

    /**
     * A job that a batch enqueues.
     *
     * @param type its type
     * @param payload its payload
     */
    public record Callback<P>(JobType<P, ?> type, P payload) {
        /** Checks that nothing is missing. */
        public Callback {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(payload, "payload");
        }
    }

    private BatchOptions(Map<When, Callback<?>> callbacks) {
        this.callbacks = callbacks;
    }

    /** No callbacks. */
    public static BatchOptions none() {
        return NONE;
    }

    private <P> BatchOptions with(When when, JobType<P, ?> type, P payload) {
        Map<When, Callback<?>> changed = new EnumMap<>(callbacks);
        changed.put(when, new Callback<>(type, payload));
        return new BatchOptions(changed);
    }

    /** Enqueues this job when all jobs of the batch have ended. */
    public <P> BatchOptions onComplete(JobType<P, ?> type, P payload) {
        return with(When.COMPLETE, type, payload);
    }

    /** Enqueues this job when all jobs of the batch have succeeded. */
    public <P> BatchOptions onSuccess(JobType<P, ?> type, P payload) {
        return with(When.SUCCESS, type, payload);
    }

    /** Enqueues this job when all jobs of the batch have ended and some have not succeeded. */
    public <P> BatchOptions onFailure(JobType<P, ?> type, P payload) {
        return with(When.FAILURE, type, payload);
    }

    /** The jobs to enqueue. */
    public Map<When, Callback<?>> callbacks() {
        return Map.copyOf(callbacks);
    }
}
