package dev.jono.internal;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.Headers;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Sends dead letters back to the queues they came from. */
final class Redrive {
    private static final int BATCH = 100;

    private final Handle handle;
    private final QueueCore core;
    private final int max;

    Redrive(Handle handle, int max) {
        this.handle = handle;
        this.core = handle.core;
        this.max = max;
    }

    long run() {
        core.context.requireOpen(core.name);
        core.context.require(Capability.MOVE, "redrive", core.name);
        Terms terms = new Terms(
                handle.settings.lease().toMillis(),
                Integer.MAX_VALUE,
                DeadLetter.DEFAULT_QUEUE,
                handle.settings.consumer());
        List<Delivered> unknown = new ArrayList<>();
        long moved = 0;
        try {
            while (moved < max) {
                List<Delivered> batch = claim(terms, (int) Math.min(BATCH, max - moved));
                if (batch.isEmpty()) {
                    break;
                }
                List<CompletableFuture<Void>> moves = new ArrayList<>();
                for (Delivered delivered : batch) {
                    String from = delivered.message.headers().string(Headers.DL_FROM_QUEUE);
                    if (from == null || from.equals(core.name)) {
                        unknown.add(delivered);
                    } else {
                        moves.add(send(delivered, from));
                    }
                }
                for (CompletableFuture<Void> move : moves) {
                    handle.await("redrive", move);
                    moved++;
                }
            }
        } finally {
            if (!unknown.isEmpty()) {
                handle.await("release", core.giveBack(unknown));
            }
        }
        return moved;
    }

    private List<Delivered> claim(Terms terms, int count) {
        long sent = core.context.clock.nanos();
        List<StoredMessage> messages = handle.await(
                        "redrive",
                        core.store
                                .claim(ClaimRequest.builder()
                                        .max(Math.min(count, core.context.traits.maxBatch()))
                                        .leaseMillis(terms.leaseMillis())
                                        .token(core.context.tokens.next())
                                        .build())
                                .toCompletableFuture())
                .messages();
        return messages.stream().map(m -> new Delivered(m, terms, sent)).toList();
    }

    private CompletableFuture<Void> send(Delivered delivered, String from) {
        QueueCore target = core.others.apply(from);
        MoveItem item = MoveItem.builder()
                .receipt(Objects.requireNonNull(delivered.receipt()))
                .toQueue(from)
                .due(Due.now())
                .dropHeaders(Headers.DEAD_LETTER)
                .build();
        return Mover.move(core, item, delivered.message, "redrive").thenRun(() -> {
            core.counters.add(Counter.ACKED, 1);
            target.counters.pushed(1);
        });
    }
}
