package dev.jono.internal.settle;

import dev.jono.Capability;
import dev.jono.StaleReservationException;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.core.QueueCore;
import dev.jono.spi.MoveItem;
import dev.jono.spi.NewMessage;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Moves reserved messages between queues: in one step where the backend can do that for the two queues. Otherwise it
 * extends the lease, stores the message in the target under its id, and removes it here under the fence. Then no message is
 * lost, but a crash in between, or a stall longer than the lease, leaves it in both queues.
 */
public final class MessageMove {
    /** The lease of a move that takes several steps. */
    private static final long MOVE_LEASE_MILLIS = 60_000;

    private MessageMove() {}

    public static CompletableFuture<Void> move(QueueCore core, MoveItem item, StoredMessage message, String step) {
        if (core.context.can(Capability.MOVE) && core.context.backend.movesAtomically(core.name, item.toQueue())) {
            SettleLane.Settle<MoveItem> call = new SettleLane.Settle<>(List.of(item));
            core.moves.submitInternal(call);
            return call.done.thenAccept(outcomes -> check(outcomes.get(0), step, core, item.receipt()));
        }
        if (item.toQueue().equals(core.name)) {
            // Stored under its id it would be the very message that is then removed.
            return CompletableFuture.failedFuture(new UnsupportedCapabilityException(
                    step + " into its own queue", core.name, core.context.backendType, Capability.ATOMIC_MOVE));
        }
        return core.unfinished.add(extend(core, item.receipt(), step)
                .thenCompose(held -> store(core, item, message))
                .thenCompose(stored -> ack(core, item.receipt(), step)));
    }

    private static CompletableFuture<Void> extend(QueueCore core, Receipt receipt, String step) {
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(List.of(receipt), MOVE_LEASE_MILLIS);
        core.extensions.submitInternal(call);
        return call.done.thenAccept(outcomes -> check(outcomes.get(0), step, core, receipt));
    }

    private static CompletableFuture<Void> store(QueueCore core, MoveItem item, StoredMessage message) {
        NewMessage copy = NewMessage.builder()
                .id(message.id())
                .payload(item.payload() == null ? message.payload() : item.payload())
                .headers(message.headers().merged(item.dropHeaders(), item.addHeaders()))
                .tries(item.tries())
                .due(item.due())
                .build();
        InsertLane.Insert call = InsertLane.Insert.own(copy);
        core.others.apply(item.toQueue()).ordered.submitInternal(call);
        return call.stored();
    }

    private static CompletableFuture<Void> ack(QueueCore core, Receipt receipt, String step) {
        SettleLane.Settle<Receipt> call = new SettleLane.Settle<>(List.of(receipt));
        core.acks.submitInternal(call);
        return call.done.thenAccept(outcomes -> check(outcomes.get(0), step, core, receipt));
    }

    static void check(Outcome outcome, String step, QueueCore core, Receipt receipt) {
        if (outcome != Outcome.DONE) {
            throw new StaleReservationException(step, core.name, receipt.id(), outcome == Outcome.GONE);
        }
    }
}
