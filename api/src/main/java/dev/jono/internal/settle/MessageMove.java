package dev.jono.internal.settle;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.core.QueueCore;
import dev.jono.spi.MoveItem;
import dev.jono.spi.NewMessage;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Moves reserved messages between queues: in one storage call where the backend can do that for the two queues. Otherwise the
 * engine extends the lease, stores the message in the target under its id, and acks it in the source under the fence. Then no
 * message is lost, but a crash in between, or a stall longer than the lease, leaves the message in both queues.
 *
 * <p>Called by {@link LeaseImpl}, {@link DeadLetters} and the redrive, on any thread, with no lock held. Stateless.
 */
public final class MessageMove {
    /** The lease of a move that takes several steps. */
    private static final long MOVE_LEASE_MILLIS = 60_000;

    private MessageMove() {}

    /**
     * Moves a message out of a queue.
     *
     * @param core the queue that holds it
     * @param message the message; stored again where the backend cannot move it in one call
     * @param step names the move in exceptions
     */
    public static CompletableFuture<Void> move(QueueCore core, MoveItem item, StoredMessage message, String step) {
        if (core.context.can(Capability.MOVE) && core.context.backend.movesAtomically(core.name, item.toQueue())) {
            return settle(core, core.moves, new SettleLane.Settle<>(List.of(item)), item.receipt(), step);
        }
        if (item.toQueue().equals(core.name)) {
            // The insert would meet the message itself under its id, and the ack would then remove it.
            return CompletableFuture.failedFuture(new UnsupportedCapabilityException(
                    step + " into its own queue", core.name, core.context.backendType, Capability.ATOMIC_MOVE));
        }
        Receipt receipt = item.receipt();
        var extend = new SettleLane.Settle<>(List.of(receipt), MOVE_LEASE_MILLIS);
        return core.unfinished.add(settle(core, core.extensions, extend, receipt, step)
                .thenCompose(held -> store(core, item, message))
                .thenCompose(
                        stored -> settle(core, core.acks, new SettleLane.Settle<>(List.of(receipt)), receipt, step)));
    }

    private static <I> CompletableFuture<Void> settle(
            QueueCore core, SettleLane<I> lane, SettleLane.Settle<I> call, Receipt receipt, String step) {
        lane.submitInternal(call);
        return call.done.thenAccept(outcomes -> Outcomes.check(outcomes.get(0), step, core, receipt));
    }

    private static CompletableFuture<Void> store(QueueCore core, MoveItem item, StoredMessage message) {
        NewMessage copy = NewMessage.builder()
                .id(message.id())
                .payload(item.payload() == null ? message.payload() : item.payload())
                .headers(message.headers().merged(item.dropHeaders(), item.addHeaders()))
                .tries(item.tries())
                .due(item.due())
                .build();
        InsertLane.Insert call = InsertLane.Insert.internal(copy);
        core.others.apply(item.toQueue()).ordered.submitInternal(call);
        return call.allStored();
    }
}
