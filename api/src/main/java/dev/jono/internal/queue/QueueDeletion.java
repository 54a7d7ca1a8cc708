package dev.jono.internal.queue;

import dev.jono.Capability;
import dev.jono.QueueNotEmptyException;
import dev.jono.internal.batch.StorageCall;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.runtime.Failures;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes a queue: first from the storage, which refuses it while messages are in it, then from the stats. A deletion that
 * ends in between is completed by deleting again. Called on the threads of users.
 */
final class QueueDeletion {
    private QueueDeletion() {}

    /** Deletes a queue; returns how many messages were deleted with it. */
    static long run(QueueHandle handle, boolean withMessages) {
        QueueCore core = handle.core;
        core.context.requireOpen(core.name);
        core.context.require(Capability.DELETE, "delete", core.name);
        DeleteRequest request =
                DeleteRequest.builder().withMessages(withMessages).build();
        DeleteResult result =
                handle.await("delete", StorageCall.single(core.scope, "delete", token -> core.store.delete(request)));
        if (!result.deleted()) {
            throw new QueueNotEmptyException(core.name, result.messages());
        }
        forget(handle);
        return result.messages();
    }

    private static void forget(QueueHandle handle) {
        QueueCore core = handle.core;
        CompletableFuture<Boolean> deleted = core.stats
                .delete(core.pendingCounts)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(Failures.fromStorage("delete the stats", core.name, failure)));
        if (handle.await("delete the stats", deleted)) {
            // The flag is gone, so the waiters must not believe in it any longer.
            core.consumers.watch().set(false);
            core.signals.paused(false);
        }
    }
}
