package dev.jono.backend.bucketmongo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Work that another thread does if one is free, and else the one that needs it: so none waits for what nobody has begun,
 * where all threads are busy with calls that need such work. Thread-safe.
 *
 * @param <R> what comes of it
 */
final class OffloadedTask<R> {
    private final Supplier<R> work;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<R> result = new CompletableFuture<>();

    OffloadedTask(Executor executor, Supplier<R> work) {
        this.work = work;
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException closing) {
            // who needs it does it
        }
    }

    private void run() {
        if (begun.compareAndSet(false, true)) {
            try {
                result.complete(work.get());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        }
    }

    boolean isDone() {
        return result.isDone();
    }

    /** What came of it; does it here if nobody has begun it. Throws what it failed with. */
    R join() {
        run();
        try {
            return result.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw failed;
        }
    }

    /** As {@link #join}, where it does not matter what came of it. */
    void await() {
        run();
        result.handle((done, failure) -> done).join();
    }
}
