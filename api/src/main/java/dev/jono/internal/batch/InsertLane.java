package dev.jono.internal.batch;

import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.stats.PendingCounts;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The {@link Lane} that inserts messages into one queue: pushes, and the messages of moves that take several steps. A queue has
 * two of them: one that keeps the order of pushes, and one that sends several batches at a time. Submitted to on the threads of
 * callers; answers arrive on those of the storage.
 */
public final class InsertLane extends Lane<InsertLane.Insert, InsertResult> {
    private final QueueScope scope;
    private final PendingCounts counts;
    private final QueueSignals signals;

    /** The messages that one caller inserts in one call. */
    public static final class Insert extends BatchedCall {
        public final List<NewMessage> messages;

        /** Completes with a result for each message. */
        public final CompletableFuture<List<InsertResult.Item>> done = new CompletableFuture<>();

        /** Whether the lane counts the messages as pushed. */
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

        /** An insert of the engine, as part of a move. The lane does not count it: the move does. */
        public static Insert internal(NewMessage message) {
            return new Insert(List.of(message), false);
        }

        /** Completes when all messages are stored; fails if one of them was refused. */
        public CompletableFuture<Void> allStored() {
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
        return scope.store()
                .insert(InsertRequest.builder()
                        .messages(joined(batch, call -> call.messages))
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
        // Counts and signals come first: when the callers are notified, one of them can close the factory.
        int at = 0;
        long earliest = Long.MAX_VALUE;
        long pushed = 0;
        for (Insert call : batch) {
            for (NewMessage message : call.messages) {
                InsertResult.Item item = items.get(at++);
                if (item.failure() == null) {
                    earliest = Math.min(earliest, message.due().resolve(answer.storageMillis()));
                    pushed += call.counted && !item.duplicate() ? 1 : 0;
                }
            }
        }
        long count = pushed;
        long due = earliest;
        context.runConsequences(queue, () -> {
            counts.pushed(count);
            if (due != Long.MAX_VALUE) {
                signals.inserted(due);
            }
        });
        List<InsertResult.Item> reported =
                repeated ? items.stream().map(this::ofRepeatedCall).toList() : items;
        int from = 0;
        for (Insert call : batch) {
            int to = from + call.messages.size();
            call.done.complete(reported.subList(from, to));
            from = to;
        }
    }

    /** The storage refused a message when the call was repeated. The first attempt has perhaps stored it. */
    private InsertResult.Item ofRepeatedCall(InsertResult.Item item) {
        return item.failure() == null
                ? item
                : InsertResult.Item.failed(Failures.ofRepeatedCall("push", queue, item.failure()));
    }

    @Override
    protected long storageMillis(InsertResult answer) {
        return answer.storageMillis();
    }

    /** Only signals. The answer does not say which messages are to be counted; counters are best effort. */
    @Override
    void late(InsertResult answer) {
        signals.inserted(QueueSignals.DUE_NOW);
    }
}
