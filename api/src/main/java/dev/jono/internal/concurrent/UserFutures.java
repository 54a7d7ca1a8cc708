package dev.jono.internal.concurrent;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.internal.log.Log;
import java.util.concurrent.CompletableFuture;

/**
 * Completes the futures that the application holds. A dependent of such a future can make its completion throw, if it fails
 * with an exception that cannot be described. All other dependents are called nevertheless.
 */
public final class UserFutures {
    private static final Log LOG = Log.named("dev.jono");

    private UserFutures() {}

    /**
     * Completes a future.
     *
     * @param value of this call alone: no other call completes the future with the same object
     * @return whether the future now holds this value; false if it was complete before
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

    /** Fails a future, unless it is complete. */
    public static void fail(CompletableFuture<?> future, Throwable failure) {
        try {
            future.completeExceptionally(failure);
        } catch (Throwable broken) {
            callTheRest(future, broken);
        }
    }

    /** Each dependent that is called has left the future before, so this ends. */
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
