package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.OutcomeUnknownException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends items to the job store in batches. While one batch is in flight, further items wait for the next one. Batches are sent in the
 * order of their items. If a batch fails, its items are sent one by one. Thread-safe.
 *
 * @param <T> the type of the items
 * @param <R> the type of the result of one item
 */
final class Batches<T, R> {
    private static final int MAX_ITEMS = 500;
    /** If this many items of a failed batch fail alone too, the store is at fault, and the others are not sent. */
    private static final int MAX_FAILURES = 3;

    private final Function<List<T>, CompletionStage<List<R>>> call;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Queue<Pending<T, R>> pending = new ArrayDeque<>();

    @GuardedBy("lock") private boolean inFlight;

    private record Pending<T, R>(T item, CompletableFuture<R> result) {}

    /**
     * Batches for one call of the store.
     *
     * @param call must return one result per item
     * @param executor completes the results
     */
    Batches(Function<List<T>, CompletionStage<List<R>>> call, Executor executor) {
        this.call = call;
        this.executor = executor;
    }

    CompletableFuture<R> add(T item) {
        CompletableFuture<R> result = new CompletableFuture<>();
        boolean send;
        lock.lock();
        try {
            pending.add(new Pending<>(item, result));
            send = !inFlight;
            inFlight = true;
        } finally {
            lock.unlock();
        }
        if (send) {
            sendNext();
        }
        return result;
    }

    private void sendNext() {
        List<Pending<T, R>> batch = new ArrayList<>();
        lock.lock();
        try {
            while (batch.size() < MAX_ITEMS && !pending.isEmpty()) {
                batch.add(pending.remove());
            }
            inFlight = !batch.isEmpty();
        } finally {
            lock.unlock();
        }
        if (!batch.isEmpty()) {
            send(batch).whenComplete((results, failure) -> answered(batch, results, failure));
        }
    }

    private CompletableFuture<List<R>> send(List<Pending<T, R>> batch) {
        List<T> items = batch.stream().map(Pending::item).toList();
        return CompletableFuture.completedFuture(items).thenCompose(call).thenApply(results -> {
            if (results.size() != items.size()) {
                throw new IllegalStateException(
                        "the job store returned " + results.size() + " results for " + items.size() + " items");
            }
            return results;
        });
    }

    private void answered(List<Pending<T, R>> batch, @Nullable List<R> results, @Nullable Throwable failure) {
        boolean oneCanBeBad =
                failure != null && batch.size() > 1 && !(Answers.unwrap(failure) instanceof OutcomeUnknownException);
        onExecutor(() -> {
            if (oneCanBeBad) {
                sendAlone(new ArrayDeque<>(batch), MAX_FAILURES);
            } else {
                sendNext();
                complete(batch, results, failure);
            }
        });
    }

    /** Sends the items of a failed batch one by one, because one bad item must not fail the others. */
    private void sendAlone(Queue<Pending<T, R>> rest, int mayFail) {
        Pending<T, R> first = rest.poll();
        if (first == null) {
            sendNext();
            return;
        }
        send(List.of(first))
                .whenComplete((results, failure) -> onExecutor(() -> {
                    complete(List.of(first), results, failure);
                    if (failure != null && mayFail == 1) {
                        sendNext();
                        complete(List.copyOf(rest), null, failure);
                    } else {
                        sendAlone(rest, failure == null ? mayFail : mayFail - 1);
                    }
                }));
    }

    /** Runs a step on the executor. If the factory is closed, the executor refuses; then on this thread. */
    private void onExecutor(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException closed) {
            step.run();
        }
    }

    private static <T, R> void complete(
            List<Pending<T, R>> batch, @Nullable List<R> results, @Nullable Throwable failure) {
        for (int i = 0; i < batch.size(); i++) {
            if (results != null) {
                batch.get(i).result.complete(results.get(i));
            } else {
                batch.get(i).result.completeExceptionally(Objects.requireNonNull(failure));
            }
        }
    }
}
