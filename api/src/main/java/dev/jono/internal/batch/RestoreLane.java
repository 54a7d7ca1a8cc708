package dev.jono.internal.batch;

import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The {@link Lane} that puts taken messages back to their places in a queue. Used by {@code GiveBack}, on any thread. */
public final class RestoreLane extends Lane<RestoreLane.Restore, InsertResult> {
    private final QueueScope scope;
    private final QueueSignals signals;

    /** Messages to put back. */
    public static final class Restore extends BatchedCall {
        final List<StoredMessage> messages;
        public final CompletableFuture<Void> done = new CompletableFuture<>();
        /** The messages that were not put back; known when {@link #done} has completed. */
        public volatile List<StoredMessage> unrestored;

        public Restore(List<StoredMessage> messages) {
            super(messages.size(), 0);
            this.messages = messages;
            this.unrestored = messages;
            this.patient = true;
        }

        @Override
        protected void fail(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    public RestoreLane(QueueScope scope, QueueSignals signals) {
        super(scope, "restore", 1);
        this.scope = scope;
        this.signals = signals;
    }

    @Override
    protected CompletionStage<InsertResult> send(List<Restore> batch, String token) {
        return scope.store()
                .restore(RestoreRequest.builder()
                        .messages(joined(batch, call -> call.messages))
                        .token(token)
                        .announce(signals.carried())
                        .build());
    }

    @Override
    protected void complete(List<Restore> batch, InsertResult answer, boolean repeated) {
        context.runConsequences(queue, () -> signals.inserted(QueueSignals.DUE_NOW));
        int at = 0;
        for (Restore call : batch) {
            RuntimeException failure = null;
            List<StoredMessage> unrestored = new ArrayList<>();
            for (StoredMessage message : call.messages) {
                RuntimeException refusal = answer.items().get(at++).failure();
                failure = failure == null ? refusal : failure;
                if (refusal != null) {
                    unrestored.add(message);
                }
            }
            call.unrestored = unrestored;
            if (failure == null) {
                call.done.complete(null);
            } else {
                call.fail(failure);
            }
        }
    }

    @Override
    protected long storageMillis(InsertResult answer) {
        return answer.storageMillis();
    }
}
