package dev.jono.backend.mongo;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Takes: removes due messages and returns them. One message is removed with one command. Several are marked first, and
 * then removed, so that a lost answer loses none of them. Blocks the calling thread; thread-safe.
 */
final class Takes {
    private final QueueCollection queue;
    private final ClaimSteps steps;
    private final SingleMessageCommand single;
    private final MarkedRemoval removal;
    private final @Nullable KeyedRemoval keyedRemoval;

    Takes(QueueCollection queue, ClaimSteps steps) {
        this.queue = queue;
        this.steps = steps;
        this.single = new SingleMessageCommand(queue);
        this.removal = new MarkedRemoval(queue);
        this.keyedRemoval = queue.layout.maxPerKey() == 0 ? null : new KeyedRemoval(queue);
    }

    ClaimResult take(ClaimRequest request) {
        Take call = new Take(CallTokens.hash(request.token()));
        return queue.memory().takes.run(request.token(), running -> steps.run(call, request.max(), running));
    }

    /** One take. */
    private final class Take implements ClaimCall {
        private final long token;

        Take(long token) {
            this.token = token;
        }

        @Override
        public String step() {
            return "pop";
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean fitsOneCommand() {
            return single.supportsTake();
        }

        @Override
        public Optional<StoredDocument> sendOne(RepeatableCalls.Running<Optional<StoredDocument>> running) {
            return single.take(running);
        }

        @Override
        public ClaimedBatch one(StoredDocument found, long nowMillis) {
            return new ClaimedBatch(List.of(found.message().build()), false, nowMillis);
        }

        @Override
        public List<StoredDocument> select(List<StoredDocument> due) {
            return due;
        }

        /**
         * Without {@link Fields#LEASE}: the message is deleted at once, and an entry in that index would slow the take
         * down.
         */
        @Override
        public BsonDocument marks(@Nullable StoredDocument like) {
            return commonMarks(queue.layout, Fields.fromNow(MarkedRemoval.LEASE_MILLIS))
                    .append(Fields.TAKEN, BsonBoolean.TRUE)
                    .append(Fields.LEASE, Fields.REMOVE_FIELD)
                    .append(Fields.DUE_BEFORE, Fields.REMOVE_FIELD);
        }

        @Override
        public ClaimedBatch markedAsFound(List<StoredDocument> chosen, boolean more) {
            List<StoredMessage> messages =
                    chosen.stream().map(found -> found.message().build()).toList();
            return new ClaimedBatch(messages, more, queue.link.time().nowMillis());
        }

        @Override
        public StoredMessage message(StoredDocument found, StoredDocument marked) {
            return marked.message().dueMillis(found.realDueMillis()).build();
        }

        @Override
        public ClaimedBatch complete(
                ClaimedBatch marked, long sentNanos, boolean repeated, RepeatableCalls.Running<ClaimResult> running) {
            if (keyedRemoval != null) {
                return removeKeyed(keyedRemoval, marked, running);
            }
            running.onRepeat(() -> Optional.of(queue.call(step(), true, () -> remove(marked, sentNanos, true))
                    .result(0)));
            return remove(marked, sentNanos, repeated);
        }

        private ClaimedBatch removeKeyed(
                KeyedRemoval steps, ClaimedBatch marked, RepeatableCalls.Running<ClaimResult> running) {
            Supplier<Optional<ClaimResult>> again =
                    () -> Optional.of(queue.call(step(), true, () -> removeKeyed(steps, marked, running))
                            .result(0));
            running.onRepeat(again);
            List<StoredMessage> removed = steps.remove(
                    token,
                    marked.messages(),
                    committed -> running.onRepeat(() -> committed
                            .get()
                            .map(known -> batch(marked, known).result(0))
                            .or(again)));
            return batch(marked, removed);
        }

        private ClaimedBatch remove(ClaimedBatch marked, long sentNanos, boolean repeated) {
            List<StoredMessage> removed = removal.remove(token, marked.messages(), sentNanos, repeated);
            return batch(marked, removed);
        }

        private ClaimedBatch batch(ClaimedBatch marked, List<StoredMessage> removed) {
            boolean all = removed.size() == marked.messages().size();
            return all ? marked : new ClaimedBatch(removed, true, marked.nowMillis());
        }
    }
}
