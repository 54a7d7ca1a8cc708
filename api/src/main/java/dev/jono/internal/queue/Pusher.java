package dev.jono.internal.queue;

import dev.jono.JonoException;
import dev.jono.OutgoingMessage;
import dev.jono.PartialFailureException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFullException;
import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.concurrent.UserFutures;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueHandle;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pushes of one {@link dev.jono.MessageQueue} object. Called on the threads of users, where it encodes payloads, with no
 * lock held. Results of async pushes are reported on the executor of the factory. Thread-safe.
 */
final class Pusher<T> {
    private final QueueHandle handle;
    private final PayloadCoder<T> coder;
    private final InsertLane lane;

    Pusher(QueueHandle handle, PayloadCoder<T> coder) {
        this.handle = handle;
        this.coder = coder;
        this.lane = handle.settings.ordered() ? handle.core.ordered : handle.core.unordered;
    }

    PushResult push(T payload, PushOptions options) {
        handle.beginPush();
        try {
            PayloadCoder.Prepared prepared = prepare(payload, options);
            OutgoingMessage message = prepared.outgoing();
            InsertLane.Insert call = new InsertLane.Insert(List.of(prepared.message()));
            try {
                lane.submitBlocking(call, handle.settings.bounds());
                InsertResult.Item item =
                        handle.await("push", lane, call, call.done).get(0);
                PushResult result = result(item);
                coder.pushed(message, result, null);
                return result;
            } catch (RuntimeException failure) {
                coder.pushed(message, null, failure);
                throw failure;
            }
        } finally {
            handle.endPush();
        }
    }

    CompletableFuture<PushResult> pushAsync(T payload, PushOptions options) {
        return start(() -> submit(prepare(payload, options)));
    }

    /** Starts an async push. Exceptions of Jono fail the future; mistakes in the arguments are thrown. */
    private <V> CompletableFuture<V> start(Supplier<CompletableFuture<V>> push) {
        try {
            handle.beginPush();
        } catch (JonoException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        try {
            return push.get();
        } catch (JonoException refused) {
            handle.endPush();
            return CompletableFuture.failedFuture(refused);
        } catch (RuntimeException | Error mistake) {
            handle.endPush();
            throw mistake;
        }
    }

    private CompletableFuture<PushResult> submit(PayloadCoder.Prepared prepared) {
        OutgoingMessage message = prepared.outgoing();
        InsertLane.Insert call = new InsertLane.Insert(List.of(prepared.message()));
        CompletableFuture<PushResult> future = new CompletableFuture<>();
        call.done.whenComplete((items, failure) -> {
            handle.context.callbacks.run(() -> {
                Throwable refusal = failure == null ? items.get(0).failure() : Completions.unwrap(failure);
                if (refusal == null) {
                    PushResult result = result(items.get(0));
                    coder.pushed(message, result, null);
                    UserFutures.complete(future, result);
                } else {
                    coder.pushed(message, null, refusal);
                    UserFutures.fail(future, refusal);
                }
                handle.endPush();
            });
        });
        lane.submitAsync(call, handle.settings.bounds());
        return future;
    }

    private PayloadCoder.Prepared prepare(T payload, PushOptions options) {
        Objects.requireNonNull(payload, () -> "payload for queue '" + handle.name() + "' is null");
        checkKey(options);
        return coder.prepare(payload, options);
    }

    private void checkKey(PushOptions options) {
        if (options.key().isPresent() && handle.settings.maxPerKey() == 0) {
            throw new IllegalArgumentException("push to queue '" + handle.name() + "' with the ordering key '"
                    + options.key().get() + "': the queue was opened without QueueOptions.keyed()");
        }
    }

    private PushResult result(InsertResult.Item item) {
        if (item.failure() != null) {
            throw item.failure();
        }
        String id = Objects.requireNonNull(item.id(), "a stored message has an id");
        return item.duplicate() ? PushResult.duplicate(id) : PushResult.stored(id);
    }

    // ---- lists ----------------------------------------------------------------------------------------------

    /**
     * A list that is pushed: the encoded messages in chunks that fit into one storage call, and the result of each payload.
     * A payload that cannot be encoded is in no chunk.
     */
    private final class Batch {
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

        Batch(List<? extends T> payloads, PushOptions options) {
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
    }

    private static PartialFailureException.Result done(PushResult result) {
        return result.isDuplicate()
                ? PartialFailureException.Result.duplicate(result.id())
                : PartialFailureException.Result.done(result.id());
    }

    private static PartialFailureException.Result notStored(@Nullable RuntimeException failure) {
        return PartialFailureException.Result.failed(
                null, failure == null ? new IllegalStateException("no answer") : failure);
    }

    private Batch batch(List<? extends T> payloads, PushOptions options) {
        int index = 0;
        for (T payload : payloads) {
            int at = index++;
            Objects.requireNonNull(
                    payload,
                    () -> "payload " + at + " of the list for queue '" + handle.name()
                            + "' is null; nothing was stored");
        }
        coder.checkOptions(options);
        checkKey(options);
        return new Batch(payloads, options);
    }

    List<PushResult> pushAll(List<? extends T> payloads, PushOptions options) {
        handle.beginPush();
        try {
            Batch batch = batch(payloads, options);
            int sent = 0;
            RuntimeException refusal = null;
            for (InsertLane.Insert call : batch.chunks) {
                try {
                    lane.submitBlocking(call, handle.settings.bounds());
                    sent++;
                } catch (RuntimeException refused) {
                    refusal = refused;
                    break;
                }
            }
            for (int i = 0; i < batch.chunks.size(); i++) {
                InsertLane.Insert call = batch.chunks.get(i);
                if (i >= sent && refusal != null) {
                    batch.record(i, refusal);
                    continue;
                }
                try {
                    batch.record(i, handle.await("push", lane, call, call.done));
                } catch (RuntimeException failure) {
                    batch.record(i, failure);
                }
            }
            return batch.results();
        } finally {
            handle.endPush();
        }
    }

    CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options) {
        return start(() -> submit(batch(payloads, options)));
    }

    private CompletableFuture<List<PushResult>> submit(Batch batch) {
        CompletableFuture<List<PushResult>> future = new CompletableFuture<>();
        CompletableFuture<?>[] all = batch.chunks.stream().map(c -> c.done).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).whenComplete((done, some) -> {
            handle.context.callbacks.run(() -> {
                for (int i = 0; i < batch.chunks.size(); i++) {
                    try {
                        batch.record(i, batch.chunks.get(i).done.join());
                    } catch (RuntimeException failure) {
                        batch.record(i, Completions.toThrow(failure));
                    }
                }
                List<PushResult> results = null;
                try {
                    results = batch.results();
                } catch (RuntimeException failure) {
                    UserFutures.fail(future, failure);
                }
                if (results != null) {
                    UserFutures.complete(future, results);
                }
                handle.endPush();
            });
        });
        boolean refused = false;
        for (InsertLane.Insert call : batch.chunks) {
            if (refused) {
                // The list keeps its order: nothing after a refused part is stored.
                call.fail(new QueueFullException(
                        "push to queue '" + handle.name() + "' refused: an earlier part of the list was",
                        handle.name(),
                        null,
                        null));
            } else {
                lane.submitAsync(call, handle.settings.bounds());
                refused = call.done.isCompletedExceptionally();
            }
        }
        return future;
    }
}
