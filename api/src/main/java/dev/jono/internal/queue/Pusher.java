package dev.jono.internal.queue;

import dev.jono.JonoException;
import dev.jono.OutgoingMessage;
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The pushes of one {@link dev.jono.MessageQueue} object. Called on the threads of users, where it encodes payloads, with no
 * lock held. Results of async pushes are reported on the executor of the factory. Thread-safe.
 */
final class Pusher<T> {
    private final QueueHandle handle;
    private final PayloadCoder<T> coder;
    private final InsertLane lane;
    private final TransactionPushes inTransactions;

    Pusher(QueueHandle handle, PayloadCoder<T> coder) {
        this.handle = handle;
        this.coder = coder;
        this.lane = handle.settings.ordered() ? handle.core.ordered : handle.core.unordered;
        this.inTransactions = new TransactionPushes(handle.core);
    }

    PushResult push(T payload, PushOptions options) {
        handle.beginPush();
        try {
            PayloadCoder.Prepared prepared = prepare(payload, options);
            OutgoingMessage message = prepared.outgoing();
            try {
                PushResult result = PushBatch.result(
                        store(List.of(prepared.message()), options).get(0));
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

    /** Stores messages that fit into one storage call, and waits for it. */
    private List<InsertResult.Item> store(List<NewMessage> messages, PushOptions options) {
        if (options.tx().isPresent()) {
            return inTransactions.insert(options.tx().get(), messages);
        }
        InsertLane.Insert call = new InsertLane.Insert(messages);
        lane.submitBlocking(call, handle.settings.bounds());
        return handle.await("push", lane, call, call.done);
    }

    CompletableFuture<PushResult> pushAsync(T payload, PushOptions options) {
        refuseTransaction(options);
        return start(() -> submit(prepare(payload, options)));
    }

    private void refuseTransaction(PushOptions options) {
        if (options.tx().isPresent()) {
            throw new IllegalArgumentException("async push to queue '" + handle.name()
                    + "' in a transaction: it would use the connection of the transaction on this thread, and block it;"
                    + " use push or pushAll");
        }
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
                    PushResult result = PushBatch.result(items.get(0));
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
        checkOptions(options);
        return coder.prepare(payload, options);
    }

    private void checkOptions(PushOptions options) {
        if (options.tx().isPresent()) {
            inTransactions.require();
        }
        if (options.key().isPresent() && handle.settings.maxPerKey() == 0) {
            throw new IllegalArgumentException("push to queue '" + handle.name() + "' with the ordering key '"
                    + options.key().get() + "': the queue was opened without QueueOptions.keyed()");
        }
    }

    // ---- lists ----------------------------------------------------------------------------------------------

    private PushBatch<T> batch(List<? extends T> payloads, PushOptions options) {
        int index = 0;
        for (T payload : payloads) {
            int at = index++;
            Objects.requireNonNull(
                    payload,
                    () -> "payload " + at + " of the list for queue '" + handle.name()
                            + "' is null; nothing was stored");
        }
        coder.checkOptions(options);
        checkOptions(options);
        return new PushBatch<>(handle, coder, payloads, options);
    }

    List<PushResult> pushAll(List<? extends T> payloads, PushOptions options) {
        handle.beginPush();
        try {
            PushBatch<T> batch = batch(payloads, options);
            if (options.tx().isPresent()) {
                storeEach(batch, options);
                return batch.results();
            }
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

    /** Stores the chunks of a list one after the other. A failed call ends it: then the transaction is to be rolled back. */
    private void storeEach(PushBatch<T> batch, PushOptions options) {
        int stored = 0;
        try {
            for (; stored < batch.chunks.size(); stored++) {
                batch.record(stored, store(batch.chunks.get(stored).messages, options));
            }
        } catch (RuntimeException failure) {
            for (int i = stored; i < batch.chunks.size(); i++) {
                batch.record(i, failure);
            }
            throw failure;
        }
    }

    CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options) {
        refuseTransaction(options);
        return start(() -> submit(batch(payloads, options)));
    }

    private CompletableFuture<List<PushResult>> submit(PushBatch<T> batch) {
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
