package dev.jono.internal;

import dev.jono.JonoException;
import dev.jono.PartialFailureException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.spi.InsertResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The pushes of one {@link dev.jono.MessageQueue} object. */
final class Pusher<T> {
    private final Handle handle;
    private final Coder<T> coder;
    private final InsertLane lane;

    Pusher(Handle handle, Coder<T> coder) {
        this.handle = handle;
        this.coder = coder;
        this.lane = handle.settings.ordered() ? handle.core.ordered : handle.core.unordered;
    }

    PushResult push(T payload, PushOptions options) {
        handle.beginPush();
        try {
            InsertLane.Insert call = prepare(payload, options);
            Coder.Prepared prepared = call.prepared.get(0);
            try {
                lane.submitBlocking(call, handle.settings.bounds());
                InsertResult.Item item =
                        handle.await("push", lane, call, call.done).get(0);
                PushResult result = result(item);
                coder.pushed(prepared.outgoing(), result, null);
                return result;
            } catch (RuntimeException failure) {
                coder.pushed(prepared.outgoing(), null, failure);
                throw failure;
            }
        } finally {
            handle.endPush();
        }
    }

    CompletableFuture<PushResult> pushAsync(T payload, PushOptions options) {
        handle.beginPush();
        InsertLane.Insert call;
        try {
            call = prepare(payload, options);
        } catch (RuntimeException failure) {
            handle.endPush();
            throw failure;
        }
        Coder.Prepared prepared = call.prepared.get(0);
        CompletableFuture<PushResult> future = new CompletableFuture<>();
        call.done.whenComplete((items, failure) -> {
            handle.endPush();
            handle.context.runForUser(() -> {
                try {
                    if (failure != null) {
                        throw Failures.toThrow(failure);
                    }
                    PushResult result = result(items.get(0));
                    coder.pushed(prepared.outgoing(), result, null);
                    future.complete(result);
                } catch (RuntimeException failed) {
                    coder.pushed(prepared.outgoing(), null, failed);
                    future.completeExceptionally(failed);
                }
            });
        });
        lane.submitAsync(call, handle.settings.bounds());
        return future;
    }

    private InsertLane.Insert prepare(T payload, PushOptions options) {
        Objects.requireNonNull(payload, () -> "payload for queue '" + handle.name() + "' is null");
        return new InsertLane.Insert(List.of(coder.prepare(payload, options)));
    }

    private PushResult result(InsertResult.Item item) {
        if (item.failure() != null) {
            throw item.failure();
        }
        String id = Objects.requireNonNull(item.id(), "a stored message has an id");
        return item.duplicate() ? PushResult.duplicate(id) : PushResult.stored(id);
    }

    // ---- lists ----------------------------------------------------------------------------------------------

    /** A list on its way: what could be encoded, in chunks that fit a storage call, and what could not. */
    private final class Batch {
        final PartialFailureException.@Nullable Result[] results;
        final @Nullable PushResult[] stored;
        final List<InsertLane.Insert> chunks = new ArrayList<>();
        final List<int[]> places = new ArrayList<>();

        Batch(List<? extends T> payloads, PushOptions options) {
            results = new PartialFailureException.Result[payloads.size()];
            stored = new PushResult[payloads.size()];
            List<Coder.Prepared> chunk = new ArrayList<>();
            int[] indexes = new int[payloads.size()];
            long bytes = 0;
            for (int i = 0; i < payloads.size(); i++) {
                Coder.Prepared prepared;
                try {
                    prepared = coder.prepare(payloads.get(i), options);
                } catch (JonoException failure) {
                    results[i] = PartialFailureException.Result.failed(null, failure);
                    continue;
                }
                int size = prepared.message().payload().size();
                if (!chunk.isEmpty()
                        && (chunk.size() == handle.context.traits.maxBatch()
                                || bytes + size > handle.context.traits.maxBatchBytes())) {
                    cut(chunk, indexes);
                    chunk = new ArrayList<>();
                    bytes = 0;
                }
                indexes[chunk.size()] = i;
                chunk.add(prepared);
                bytes += size;
            }
            if (!chunk.isEmpty()) {
                cut(chunk, indexes);
            }
        }

        private void cut(List<Coder.Prepared> chunk, int[] indexes) {
            chunks.add(new InsertLane.Insert(chunk));
            places.add(Arrays.copyOf(indexes, chunk.size()));
        }

        /** Takes down what became of a chunk, and tells the interceptors. */
        void settle(int chunk, @Nullable List<InsertResult.Item> items, @Nullable RuntimeException failure) {
            InsertLane.Insert call = chunks.get(chunk);
            int[] indexes = places.get(chunk);
            for (int i = 0; i < indexes.length; i++) {
                RuntimeException failed = items == null ? failure : items.get(i).failure();
                PushResult result = failed == null && items != null ? result(items.get(i)) : null;
                stored[indexes[i]] = result;
                results[indexes[i]] = result != null
                        ? PartialFailureException.Result.done(result.id())
                        : PartialFailureException.Result.failed(
                                null, failed == null ? new IllegalStateException("no answer") : failed);
                coder.pushed(call.prepared.get(i).outgoing(), result, failed);
            }
        }

        List<PushResult> outcome() {
            List<PartialFailureException.Result> all = new ArrayList<>(results.length);
            List<PushResult> done = new ArrayList<>(results.length);
            for (int i = 0; i < results.length; i++) {
                all.add(Objects.requireNonNull(results[i]));
                PushResult result = stored[i];
                if (result != null) {
                    done.add(result);
                }
            }
            if (done.size() < all.size()) {
                throw new PartialFailureException("push", handle.name(), all);
            }
            return done;
        }
    }

    private Batch batch(List<? extends T> payloads, PushOptions options) {
        for (int i = 0; i < payloads.size(); i++) {
            int index = i;
            Objects.requireNonNull(
                    payloads.get(i),
                    () -> "payload " + index + " of the list for queue '" + handle.name()
                            + "' is null; nothing was stored");
        }
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
                if (i >= sent) {
                    batch.settle(i, null, refusal);
                    continue;
                }
                try {
                    batch.settle(i, handle.await("push", lane, call, call.done), null);
                } catch (RuntimeException failure) {
                    batch.settle(i, null, failure);
                }
            }
            return batch.outcome();
        } finally {
            handle.endPush();
        }
    }

    CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options) {
        handle.beginPush();
        Batch batch;
        try {
            batch = batch(payloads, options);
        } catch (RuntimeException failure) {
            handle.endPush();
            throw failure;
        }
        CompletableFuture<List<PushResult>> future = new CompletableFuture<>();
        CompletableFuture<?>[] all = batch.chunks.stream().map(c -> c.done).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).whenComplete((done, some) -> {
            handle.endPush();
            handle.context.runForUser(() -> {
                for (int i = 0; i < batch.chunks.size(); i++) {
                    try {
                        batch.settle(i, batch.chunks.get(i).done.join(), null);
                    } catch (RuntimeException failure) {
                        batch.settle(i, null, Failures.toThrow(failure));
                    }
                }
                try {
                    future.complete(batch.outcome());
                } catch (RuntimeException failure) {
                    future.completeExceptionally(failure);
                }
            });
        });
        batch.chunks.forEach(call -> lane.submitAsync(call, handle.settings.bounds()));
        return future;
    }
}
