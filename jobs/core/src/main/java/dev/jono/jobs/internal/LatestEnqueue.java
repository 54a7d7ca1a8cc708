package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.PushResult;
import dev.jono.StorageException;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobType;
import dev.jono.jobs.UniqueMode;
import org.jspecify.annotations.Nullable;

/** Enqueues of jobs with {@link UniqueMode#LATEST}: a duplicate gives its payload to the waiting job. Thread-safe. */
final class LatestEnqueue {
    private static final int MAX_PAYLOAD_BYTES = 128 * 1024;
    /** How often an enqueue meets a job that starts before it takes the payload. */
    private static final int MAX_ATTEMPTS = 50;

    private final LatestPayloads payloads;

    LatestEnqueue(JobsContext context) {
        this.payloads = new LatestPayloads(context);
    }

    /** The ordering key of a job, which is its unique key. */
    static String orderingKey(
            JobType<?, ?> type, String uniqueKey, @Nullable String orderingKey, EnqueueOptions options) {
        String job = "job of type '" + type + "' with the unique key '" + uniqueKey + "' and the mode 'latest' ";
        if (orderingKey != null && !orderingKey.equals(uniqueKey)) {
            throw new IllegalArgumentException(
                    job + "cannot have the ordering key '" + orderingKey + "': its unique key is its ordering key");
        }
        if (options.priority() != null) {
            throw new IllegalArgumentException(job + "cannot have the priority " + options.priority()
                    + ": jobs with keys run in the order of their keys");
        }
        if (type.limitPerKey() != 1) {
            throw new IllegalArgumentException(
                    job + "cannot run " + type.limitPerKey() + " at a time: limitPerKey must be 1");
        }
        if (!type.hasKeys()) {
            throw new IllegalArgumentException(
                    job
                            + "is not run, because its type has no ordering keys: give the type unique keys with this mode, or ordering keys");
        }
        return uniqueKey;
    }

    /** Encodes the payload, as the store may have to keep it. */
    static <P> EncodedPayload encode(JobsContext context, JobType<P, ?> type, P payload) {
        EncodedPayload encoded;
        try {
            encoded = context.<P>codec(type.payloadType()).encode(payload, Headers.empty());
        } catch (Exception failure) {
            throw new EncodingException(
                    "the payload of a job of type '" + type + "' cannot be encoded: " + failure, null, null, failure);
        }
        if (encoded.size() > MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("the payload of a job of type '" + type + "' has " + encoded.size()
                    + " bytes; the maximum for the mode 'latest' is " + MAX_PAYLOAD_BYTES
                    + ": store it elsewhere, and pass its place");
        }
        return encoded;
    }

    /**
     * Gives the payload to the waiting job, or enqueues a job.
     *
     * @param first the result of the first push of the job
     * @return that of the last push; a duplicate's is that of the job that has taken the payload
     */
    PushResult settle(JobDraft<?, ?> draft, EncodedPayload payload, PushResult first) {
        PushResult result = first;
        for (int attempt = 0; result.duplicate(); attempt++) {
            if (attempt == MAX_ATTEMPTS) {
                throw new StorageException(
                        "job of type '" + draft.type() + "' with the unique key '" + draft.uniqueKey()
                                + "' was not enqueued, because other jobs with this key start all the time",
                        null,
                        null,
                        null);
            }
            JobId owner = new JobId(draft.type().name(), result.id());
            payloads.give(owner, payload);
            PushResult again = draft.push();
            if (again.duplicate() && again.id().equals(owner.message())) {
                if (payloads.isTakenBy(owner)) {
                    return again;
                }
                draft.forgetKeyOf(owner);
                again = draft.push();
            }
            payloads.withdraw(owner);
            result = again;
        }
        return result;
    }
}
