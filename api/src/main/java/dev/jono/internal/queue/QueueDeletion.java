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
 * Deletes a queue: first from the storage, which refuses the deletion while the queue holds messages, then from the stats. If
 * the deletion fails in between, the next one completes it. Called on the threads of users, with no lock held. Stateless.
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
        deleteStats(handle);
        return result.messages();
    }

    private static void deleteStats(QueueHandle handle) {
        QueueCore core = handle.core;
        CompletableFuture<Boolean> deleted = core.stats
                .delete(core.pendingCounts)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(Failures.fromStorage("delete the stats", core.name, failure)));
        if (handle.await("delete the stats", deleted)) {
            // The queue was paused. The flag is deleted, so the waiters must not stay paused.
            core.consumers.watch().set(false);
            core.signals.paused(false);
        }
    }
}
