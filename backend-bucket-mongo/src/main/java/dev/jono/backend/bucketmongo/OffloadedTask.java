package dev.jono.backend.bucketmongo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Work that another thread does if one is free, and otherwise the thread that needs the result. So no thread waits for work that
 * has not begun, even if all threads of the executor are busy with calls that offload work. Thread-safe.
 *
 * @param <R> the result
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
            // the thread that needs the result does the work
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

    /** Returns the result; does the work on this thread if it has not begun. Throws what the work has thrown. */
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

    /** Waits like {@link #join}, and ignores the result and any failure. */
    void await() {
        run();
        result.handle((done, failure) -> done).join();
    }
}
