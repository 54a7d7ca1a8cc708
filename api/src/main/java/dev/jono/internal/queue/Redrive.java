package dev.jono.internal.queue;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.Headers;
import dev.jono.internal.batch.StorageCall;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.settle.MessageMove;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Counter;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends dead letters back to the queues that they came from. Runs on the thread of the user that requests it, with no lock
 * held.
 */
final class Redrive {
    private static final int BATCH = 100;

    /** The lease of the messages that cannot be sent back: they are held until the end, so that claims bring other ones. */
    private static final long LEASE_MILLIS = 300_000;

    private final QueueHandle handle;
    private final QueueCore core;
    private final int max;

    Redrive(QueueHandle handle, int max) {
        this.handle = handle;
        this.core = handle.core;
        this.max = max;
    }

    long run() {
        core.context.requireOpen(core.name);
        core.context.require(Capability.MOVE, "redrive", core.name);
        ClaimTerms terms = new ClaimTerms(
                Math.max(LEASE_MILLIS, handle.settings.lease().toMillis()),
                Integer.MAX_VALUE,
                DeadLetter.DEFAULT_QUEUE,
                handle.settings.consumer(),
                /* maxPerKey= */ 1);
        // Messages that arrive or come back during this redrive wait for the next one.
        long toExamine = handle.read(
                        "redrive",
                        core.store.counts(CountsRequest.builder().build()).toCompletableFuture())
                .ready();
        List<HeldMessage> staying = new ArrayList<>();
        long moved = 0;
        try {
            while (moved < max && toExamine > 0) {
                List<HeldMessage> batch = claim(terms, (int) Math.min(BATCH, Math.min(toExamine, max - moved)));
                if (batch.isEmpty()) {
                    break;
                }
                toExamine -= batch.size();
                moved += moveAll(batch, staying);
            }
        } finally {
            if (!staying.isEmpty()) {
                handle.await("release", core.giveBack.give(staying));
            }
        }
        return moved;
    }

    private long moveAll(List<HeldMessage> batch, List<HeldMessage> staying) {
        List<CompletableFuture<Void>> moves = new ArrayList<>();
        for (HeldMessage delivered : batch) {
            QueueCore origin = origin(delivered);
            if (origin == null) {
                staying.add(delivered);
            } else {
                CompletableFuture<Void> move = send(delivered, origin);
                moves.add(move);
                move.whenComplete((done, failure) -> {
                    if (failure != null && !Failures.stale(failure)) {
                        core.giveBack.give(List.of(delivered));
                    }
                });
            }
        }
        handle.await("redrive", CompletableFuture.allOf(moves.toArray(CompletableFuture[]::new)));
        return moves.size();
    }

    /** The queue that a message came from; null if its header is missing, is not a valid name, or names this queue. */
    private @Nullable QueueCore origin(HeldMessage delivered) {
        String from = delivered.message.headers().string(Headers.DL_FROM_QUEUE);
        try {
            return from == null || from.equals(core.name) ? null : core.others.apply(from);
        } catch (IllegalArgumentException noSuchName) {
            return null;
        }
    }

    private List<HeldMessage> claim(ClaimTerms terms, int count) {
        int max = Math.min(count, core.context.traits.maxBatch());
        long sent = core.context.clock.nanos();
        Function<ClaimResult, List<HeldMessage>> delivered = result -> result.messages().stream()
                .map(message -> new HeldMessage(message, terms, sent))
                .toList();
        CompletableFuture<List<HeldMessage>> claimed = StorageCall.single(
                        core.scope,
                        "redrive",
                        token -> core.store.claim(terms.claim(max, token)),
                        late -> core.giveBack.give(delivered.apply(late)))
                .thenApply(delivered);
        try {
            return handle.await("redrive", claimed);
        } catch (RuntimeException late) {
            // The timeout of this queue object can be shorter than that of the call.
            claimed.thenAccept(core.giveBack::give);
            throw late;
        }
    }

    private CompletableFuture<Void> send(HeldMessage delivered, QueueCore target) {
        MoveItem item = MoveItem.builder()
                .receipt(Objects.requireNonNull(delivered.receipt()))
                .toQueue(target.name)
                .due(Due.now())
                .dropHeaders(Headers.DEAD_LETTER)
                .build();
        return MessageMove.move(core, item, delivered.message, "redrive").thenRun(() -> {
            core.pendingCounts.add(Counter.ACKED, 1);
            target.pendingCounts.pushed(1);
        });
    }
}
