package dev.jono.internal.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** The start of futures, and their failures. Called on any thread. Stateless. */
public final class Completions {
    private Completions() {}

    /** Starts a call; the future also fails if the start throws. */
    public static <R> CompletableFuture<R> start(Supplier<? extends CompletionStage<R>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Returns the failure itself, without the exceptions in which futures wrap it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Returns the exception to throw on the thread of a blocked caller. It is the original exception: a copy with the stack of
     * the caller would lose the fields of the exception.
     *
     * @throws Error if the future failed with an error
     */
    public static RuntimeException toThrow(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof RuntimeException runtime) {
            return runtime;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(cause);
    }
}
