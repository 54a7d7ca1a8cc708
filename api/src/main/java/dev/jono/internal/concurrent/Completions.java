package dev.jono.internal.concurrent;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Failures of futures. Stateless; any thread may call it. */
public final class Completions {
    private Completions() {}

    /** The failure itself, without the exceptions in which futures wrap it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * The exception to throw in the thread of a caller that waited. It is the original one: a copy with the caller's stack
     * would lose its fields.
     *
     * @throws Error if that is what the future failed with
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
