package dev.jono.internal.concurrent;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.internal.log.Log;
import java.util.concurrent.CompletableFuture;

/**
 * Completes the futures that the application holds. {@link CompletableFuture#complete} throws if a dependent fails with an
 * exception whose {@code toString()} throws. The methods here do not, and the other dependents are called nevertheless. Called on
 * the threads for the application's code. Stateless.
 */
public final class UserFutures {
    private static final Log LOG = Log.named("dev.jono");

    private UserFutures() {}

    /**
     * Completes a future.
     *
     * @param value an object with which no other call completes the future: the method compares by identity
     * @return whether this call completed the future; false if it was complete before
     */
    @CanIgnoreReturnValue
    public static <V> boolean complete(CompletableFuture<V> future, V value) {
        try {
            return future.complete(value);
        } catch (Throwable broken) {
            callTheRest(future, broken);
            return !future.isCompletedExceptionally() && future.join() == value;
        }
    }

    /** Fails a future; does nothing if the future is complete. */
    public static void fail(CompletableFuture<?> future, Throwable failure) {
        try {
            future.completeExceptionally(failure);
        } catch (Throwable broken) {
            callTheRest(future, broken);
        }
    }

    /**
     * Calls the dependents that remain. The future is complete: {@code completeExceptionally} changes nothing, it only calls the
     * dependents. Each is removed before it is called, so the loop ends.
     */
    private static void callTheRest(CompletableFuture<?> future, Throwable first) {
        Throwable broken = first;
        while (broken != null) {
            LOG.warn("a callback of the application threw", broken);
            broken = null;
            try {
                future.completeExceptionally(first);
            } catch (Throwable another) {
                broken = another;
            }
        }
    }
}
