package dev.jono.internal.queue;

import dev.jono.JonoException;
import dev.jono.OutgoingMessage;
import dev.jono.PartialFailureException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueHandle;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list that is pushed: the encoded messages in chunks that fit into one storage call, and the result of each payload.
 * A payload that cannot be encoded is in no chunk. Used by one thread at a time.
 */
final class PushBatch<T> {
    private final QueueHandle handle;
    private final PayloadCoder<T> coder;

    /** The result of each payload of the list; null if it failed. */
    final @Nullable PushResult[] stored;

    /** The failure of each payload of the list; null if it was stored. */
    final @Nullable RuntimeException[] failures;

    /** Each payload of the list as interceptors see it; null if it cannot be encoded. */
    final @Nullable OutgoingMessage[] outgoing;

    final List<InsertLane.Insert> chunks = new ArrayList<>();

    /** For each chunk, the positions of its messages in the list. */
    final List<int[]> positions = new ArrayList<>();

    private boolean failed;

    /** Encodes a list. */
    PushBatch(QueueHandle handle, PayloadCoder<T> coder, List<? extends T> payloads, PushOptions options) {
        this.handle = handle;
        this.coder = coder;
        stored = new PushResult[payloads.size()];
        failures = new RuntimeException[payloads.size()];
        outgoing = new OutgoingMessage[payloads.size()];
        List<NewMessage> chunk = new ArrayList<>(Math.min(payloads.size(), handle.context.traits.maxBatch()));
        int[] indexes = new int[payloads.size()];
        long bytes = 0;
        int at = 0;
        for (T payload : payloads) {
            int position = at++;
            NewMessage message;
            try {
                PayloadCoder.Prepared prepared = coder.prepare(payload, options);
                outgoing[position] = prepared.outgoing();
                message = prepared.message();
            } catch (JonoException failure) {
                fail(position, failure);
                continue;
            }
            int size = message.payload().size();
            if (!chunk.isEmpty()
                    && (chunk.size() == handle.context.traits.maxBatch()
                            || bytes + size > handle.context.traits.maxBatchBytes())) {
                addChunk(chunk, indexes);
                chunk = new ArrayList<>();
                bytes = 0;
            }
            indexes[chunk.size()] = position;
            chunk.add(message);
            bytes += size;
        }
        if (!chunk.isEmpty()) {
            addChunk(chunk, indexes);
        }
    }

    private void addChunk(List<NewMessage> chunk, int[] indexes) {
        chunks.add(new InsertLane.Insert(chunk));
        positions.add(Arrays.copyOf(indexes, chunk.size()));
    }

    private void fail(int position, RuntimeException failure) {
        failures[position] = failure;
        failed = true;
    }

    /** Records the results of a chunk, and reports them to the interceptors. */
    void record(int chunk, List<InsertResult.Item> items) {
        int[] indexes = positions.get(chunk);
        for (int i = 0; i < indexes.length; i++) {
            InsertResult.Item item = items.get(i);
            RuntimeException failure = item.failure();
            if (failure == null) {
                stored[indexes[i]] = result(item);
            } else {
                fail(indexes[i], failure);
            }
            pushed(indexes[i], failure);
        }
    }

    /** Records a failure of all messages of a chunk, and reports it to the interceptors. */
    void record(int chunk, RuntimeException failure) {
        int[] indexes = positions.get(chunk);
        for (int i = 0; i < indexes.length; i++) {
            fail(indexes[i], failure);
            pushed(indexes[i], failure);
        }
    }

    private void pushed(int position, @Nullable RuntimeException failure) {
        OutgoingMessage message = Objects.requireNonNull(outgoing[position], "a message of a chunk was encoded");
        coder.pushed(message, stored[position], failure);
    }

    /**
     * The results of all payloads.
     *
     * @throws PartialFailureException if one failed
     */
    List<PushResult> results() {
        if (failed) {
            List<PartialFailureException.Result> all = new ArrayList<>(stored.length);
            for (int i = 0; i < stored.length; i++) {
                PushResult result = stored[i];
                RuntimeException failure = failures[i];
                all.add(result != null ? done(result) : notStored(failure));
            }
            throw new PartialFailureException("push", handle.name(), all);
        }
        List<PushResult> done = new ArrayList<>(stored.length);
        for (PushResult result : stored) {
            done.add(Objects.requireNonNull(result));
        }
        return done;
    }

    /**
     * The result of a message.
     *
     * @throws RuntimeException the reason why it was not stored
     */
    static PushResult result(InsertResult.Item item) {
        if (item.failure() != null) {
            throw item.failure();
        }
        String id = Objects.requireNonNull(item.id(), "a stored message has an id");
        return item.duplicate() ? PushResult.duplicateOf(id) : PushResult.stored(id);
    }

    private static PartialFailureException.Result done(PushResult result) {
        return result.duplicate()
                ? PartialFailureException.Result.duplicate(result.id())
                : PartialFailureException.Result.done(result.id());
    }

    private static PartialFailureException.Result notStored(@Nullable RuntimeException failure) {
        return PartialFailureException.Result.failed(
                null, failure == null ? new IllegalStateException("no answer") : failure);
    }
}
