package dev.jono.internal.batch;

import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.stats.PendingCounts;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The pushes of one queue. */
public final class InsertLane extends Lane<InsertLane.Insert, InsertResult> {
    private final QueueScope scope;
    private final PendingCounts counts;
    private final QueueSignals signals;

    /** The messages that one caller pushes in one call. */
    public static final class Insert extends BatchedCall {
        public final List<NewMessage> messages;
        public final CompletableFuture<List<InsertResult.Item>> done = new CompletableFuture<>();

        private final boolean counted;

        /** A push of the application. */
        public Insert(List<NewMessage> messages) {
            this(messages, true);
        }

        private Insert(List<NewMessage> messages, boolean counted) {
            super(messages.size(), bytes(messages));
            this.messages = messages;
            this.counted = counted;
        }

        /** An insert of the engine, as part of a move; the move counts it. */
        public static Insert own(NewMessage message) {
            return new Insert(List.of(message), false);
        }

        /** Completes when all messages are stored; fails with the failure of one that was refused. */
        public CompletableFuture<Void> stored() {
            return done.thenAccept(items -> items.forEach(item -> {
                if (item.failure() != null) {
                    throw item.failure();
                }
            }));
        }

        private static long bytes(List<NewMessage> messages) {
            long bytes = 0;
            for (NewMessage message : messages) {
                bytes += message.payload().size();
            }
            return bytes;
        }

        @Override
        public void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    public InsertLane(QueueScope scope, PendingCounts counts, QueueSignals signals, int maxInFlight) {
        super(scope, "push", maxInFlight);
        this.scope = scope;
        this.counts = counts;
        this.signals = signals;
    }

    @Override
    protected CompletionStage<InsertResult> send(List<Insert> batch, String token) {
        List<NewMessage> messages = batch.get(0).messages;
        if (batch.size() > 1) {
            messages = new ArrayList<>(batch.size() * messages.size());
            for (Insert call : batch) {
                messages.addAll(call.messages);
            }
        }
        return scope.store()
                .insert(InsertRequest.builder()
                        .messages(messages)
                        .token(token)
                        .announce(signals.carried())
                        .build());
    }

    @Override
    protected void complete(List<Insert> batch, InsertResult answer, boolean repeated) {
        List<InsertResult.Item> items = answer.items();
        if (items.size()
                != batch.stream().mapToInt(call -> call.messages.size()).sum()) {
            throw new IllegalStateException("the backend answered " + items.size() + " items");
        }
        // Counts and signals before the callers are notified: a caller may close the factory then.
        int at = 0;
        long earliest = Long.MAX_VALUE;
        long stored = 0;
        for (Insert call : batch) {
            for (NewMessage message : call.messages) {
                InsertResult.Item item = items.get(at++);
                if (item.failure() == null) {
                    earliest = Math.min(earliest, message.due().resolve(answer.storageMillis()));
                    stored += call.counted && !item.duplicate() ? 1 : 0;
                }
            }
        }
        long count = stored;
        long due = earliest;
        context.runConsequences(queue, () -> {
            counts.pushed(count);
            if (due != Long.MAX_VALUE) {
                signals.inserted(due);
            }
        });
        List<InsertResult.Item> told =
                repeated ? items.stream().map(this::inDoubt).toList() : items;
        int from = 0;
        for (Insert call : batch) {
            int to = from + call.messages.size();
            call.done.complete(told.subList(from, to));
            from = to;
        }
    }

    /** What the storage refuses when the call is repeated may have been stored by the first attempt. */
    private InsertResult.Item inDoubt(InsertResult.Item item) {
        return item.failure() == null
                ? item
                : InsertResult.Item.failed(Failures.inDoubt("push", queue, item.failure()));
    }

    @Override
    protected long storageMillis(InsertResult answer) {
        return answer.storageMillis();
    }

    @Override
    void late(InsertResult answer) {
        signals.inserted(1);
    }
}
