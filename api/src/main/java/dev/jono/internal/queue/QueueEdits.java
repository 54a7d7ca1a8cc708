package dev.jono.internal.queue;

import dev.jono.Capability;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.RemoveOutcome;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.batch.StorageCall;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.spi.Due;
import dev.jono.spi.EditResult;
import dev.jono.spi.ForgetRequest;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RescheduleRequest;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Removes and changes messages of a queue that no consumer holds, by their ids. Each call blocks its caller, a thread of the
 * application.
 */
final class QueueEdits {
    private final QueueHandle handle;
    private final QueueCore core;

    QueueEdits(QueueHandle handle) {
        this.handle = handle;
        this.core = handle.core;
    }

    RemoveOutcome remove(String id) {
        core.context.require(Capability.REMOVE, "remove", core.name);
        Objects.requireNonNull(id, "id");
        RemoveOutcome outcome = call(
                        "remove",
                        token -> core.store.remove(RemoveRequest.builder()
                                .ids(List.of(id))
                                .token(token)
                                .build()))
                .outcomes()
                .get(0);
        if (outcome == RemoveOutcome.REMOVED) {
            freed();
        }
        return outcome;
    }

    /** Wakes consumers: the message may have been the first of its key. */
    private void freed() {
        if (handle.settings.maxPerKey() > 0) {
            core.signals.becameDue(QueueSignals.DUE_NOW);
        }
    }

    EditOutcome reschedule(String id, Due due) {
        core.context.require(Capability.EDIT, "reschedule", core.name);
        Objects.requireNonNull(id, "id");
        EditResult result = call(
                "reschedule",
                token -> core.store.reschedule(RescheduleRequest.builder()
                        .ids(List.of(id))
                        .due(due)
                        .token(token)
                        .build()));
        EditOutcome outcome = result.outcomes().get(0);
        if (outcome == EditOutcome.DONE) {
            freed();
            core.signals.becameDue(due.resolve(result.storageMillis()));
        }
        return outcome;
    }

    EditOutcome moveIdle(String id, String toQueue) {
        return move(id, toQueue, false);
    }

    EditOutcome moveIdleUnchanged(String id, String toQueue) {
        return move(id, toQueue, true);
    }

    private EditOutcome move(String id, String toQueue, boolean unchanged) {
        core.context.require(Capability.EDIT, "moveIdle", core.name);
        Objects.requireNonNull(id, "id");
        QueueCore target = core.others.apply(toQueue);
        if (target == core) {
            throw new IllegalArgumentException("moveIdle: message " + id + " of queue '" + core.name
                    + "' cannot be moved into the queue itself; reschedule changes when it is due");
        }
        if (!core.context.backend.movesAtomically(core.name, target.name)) {
            throw new UnsupportedCapabilityException(
                    "moveIdle from '" + core.name + "' to '" + target.name + "'",
                    core.name,
                    core.context.backendType,
                    Capability.ATOMIC_MOVE);
        }
        EditOutcome outcome = call(
                        "moveIdle",
                        token -> target.readyForMoves()
                                .thenCompose(ready -> core.store.moveIdle(MoveIdleRequest.builder()
                                        .ids(List.of(id))
                                        .toQueue(target.name)
                                        .dropHeaders(unchanged ? Set.of() : Headers.DEAD_LETTER)
                                        .keepsTriesAndDue(unchanged)
                                        .token(token)
                                        .build())))
                .outcomes()
                .get(0);
        if (outcome == EditOutcome.DONE) {
            freed();
            target.pendingCounts.pushed(1);
            target.signals.becameDue(QueueSignals.DUE_NOW); // also if it is due later: consumers learn when
        }
        return outcome;
    }

    void forget(@Nullable String scope, String key, String id) {
        core.context.require(Capability.DEDUPLICATE, "forget", core.name);
        ForgetRequest request =
                ForgetRequest.builder().scope(scope).key(key).id(id).build();
        call("forget", token -> core.store.forget(request));
    }

    private <R> R call(String step, Function<String, CompletionStage<R>> send) {
        core.context.requireOpen(core.name);
        return handle.await(step, StorageCall.single(core.scope, step, send));
    }
}
