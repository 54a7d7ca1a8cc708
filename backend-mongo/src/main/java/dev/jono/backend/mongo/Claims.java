package dev.jono.backend.mongo;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatedReads;
import dev.jono.support.mongo.Transactions;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Claims: leases due messages to the caller. Blocks the calling thread; thread-safe. */
final class Claims {
    private final QueueCollection queue;
    private final ClaimSteps steps;
    private final SingleMessageCommand single;
    private final Transactions transactions;

    Claims(QueueCollection queue, ClaimSteps steps) {
        this.queue = queue;
        this.steps = steps;
        this.single = new SingleMessageCommand(queue);
        this.transactions = new Transactions(queue.link);
    }

    ClaimResult claim(ClaimRequest request) {
        Claim call = new Claim(request);
        ClaimResult result =
                queue.memory().claims.run(request.token(), running -> steps.run(call, request.max(), running));
        if (!result.messages().isEmpty()) {
            steps.leaseStarted(request.leaseMillis());
        }
        return result;
    }

    /** One claim. */
    private final class Claim implements ClaimCall {
        private final ClaimRequest request;
        private final long token;

        Claim(ClaimRequest request) {
            this.request = request;
            this.token = CallTokens.hash(request.token());
        }

        @Override
        public String step() {
            return "reserve";
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean fitsOneCommand() {
            return single.supportsClaim();
        }

        @Override
        public Optional<StoredDocument> sendOne(RepeatableCalls.Running<Optional<StoredDocument>> running) {
            BsonDocument marks = marks(null).append(Fields.PREVIOUS_RESERVED, Fields.field(Fields.RESERVED));
            return single.claim(List.of(Fields.doc("$set", marks)), running);
        }

        @Override
        public ClaimedBatch one(StoredDocument found, long nowMillis) {
            int tries = Math.max(0, found.tries() - 1);
            boolean expired = found.previousReservedMillis() != null;
            Fence fence = new Fence(token, found.requireReservedMillis());
            StoredMessage message = reserved(found.message().tries(tries), found, found.matureMillis(), fence)
                    .expired(expired)
                    .isolated(isolates(tries, expired))
                    .firstDelivery(tries == 0 && !expired && !found.givenBack())
                    .build();
            return new ClaimedBatch(List.of(message), false, fence.reservedMillis());
        }

        /** The messages before the first that must be alone, or that message alone if it is the first. */
        @Override
        public List<StoredDocument> select(List<StoredDocument> due) {
            for (int i = 0; i < due.size(); i++) {
                if (isolates(due.get(i))) {
                    return withRoom(due.subList(0, Math.max(1, i)));
                }
            }
            return withRoom(due);
        }

        /** The first ones, so that the messages that follow them have room in this claim. */
        private List<StoredDocument> withRoom(List<StoredDocument> due) {
            return KeyedFollowers.possible(queue, request) ? KeyedFollowers.withRoom(queue, request, due) : due;
        }

        private boolean isolates(StoredDocument found) {
            return isolates(found.tries(), found.reservedMillis() != null);
        }

        private boolean isolates(int tries, boolean expired) {
            return tries >= request.isolateTries() || (expired && tries >= request.isolateExpiredTries());
        }

        @Override
        public BsonDocument marks(@Nullable StoredDocument like) {
            var leaseEnd = Fields.fromNow(request.leaseMillis());
            return commonMarks(queue.layout, leaseEnd)
                    .append(Fields.LEASE, leaseEnd)
                    .append(
                            Fields.DUE_BEFORE,
                            like == null ? Fields.dueBefore(queue.dueField) : Fields.field(queue.dueField))
                    .append(Fields.TAKEN, Fields.REMOVE_FIELD)
                    .append(Fields.TRIES, like == null ? oneMoreTry() : new BsonInt32(like.tries() + 1));
        }

        /**
         * All messages have the same time of marking; it is read from the first. Null if the first is not marked any
         * more.
         */
        @Override
        public @Nullable ClaimedBatch markedAsFound(List<StoredDocument> chosen, boolean more) {
            BsonDocument filter = queue.live(List.of(chosen.get(0).id()));
            filter.put(queue.layout.tokenField(), new BsonInt64(token));
            RawBsonDocument first = RepeatedReads.first(queue.documents
                    .find(filter)
                    .projection(Fields.doc(Fields.RESERVED, Fields.ONE).append(queue.dueField, Fields.ONE)));
            if (first == null) {
                return null;
            }
            Fence fence = new Fence(token, first.getDateTime(Fields.RESERVED).getValue());
            long leaseEnd = first.getDateTime(queue.dueField).getValue();
            List<StoredMessage> messages = chosen.stream()
                    .map(found -> message(found.message().firstDelivery(found.isNew()), found, leaseEnd, fence))
                    .toList();
            return new ClaimedBatch(messages, more, fence.reservedMillis());
        }

        @Override
        public StoredMessage message(StoredDocument found, StoredDocument marked) {
            StoredMessage.Builder message = marked.message()
                    .tries(Math.max(0, marked.tries() - 1))
                    .firstDelivery(found.isNew() && !marked.givenBack()); // it may have been held since the search
            Fence fence = new Fence(token, marked.requireReservedMillis());
            return message(message, found, marked.matureMillis(), fence);
        }

        private StoredMessage message(
                StoredMessage.Builder message, StoredDocument found, long leaseEndMillis, Fence fence) {
            return reserved(message, found, leaseEndMillis, fence)
                    .expired(found.reservedMillis() != null)
                    .isolated(isolates(found))
                    .build();
        }

        @Override
        public ClaimedBatch complete(
                ClaimedBatch marked, long sentNanos, boolean repeated, RepeatableCalls.Running<ClaimResult> running) {
            return KeyedFollowers.possible(queue, request) && mayBeFollowed(marked.messages())
                    ? withFollowers(marked, running)
                    : marked;
        }

        private boolean mayBeFollowed(List<StoredMessage> claimed) {
            return claimed.size() < request.max()
                    && claimed.stream().anyMatch(message -> message.key() != null)
                    && claimed.stream().noneMatch(StoredMessage::isolated);
        }

        /** Adds the next messages of the same keys. If that fails, the claim has the first ones alone. */
        private ClaimedBatch withFollowers(ClaimedBatch marked, RepeatableCalls.Running<ClaimResult> running) {
            Fence fence = new Fence(token, marked.nowMillis());
            Optional<List<StoredMessage>> all = transactions.attempt(
                    step(),
                    queue.queueName,
                    session -> new KeyedFollowers(queue, session, request, fence).add(marked.messages()),
                    committed -> running.onRepeat(() -> {
                        List<StoredMessage> known = committed.get().orElse(marked.messages());
                        return Optional.of(new ClaimedBatch(known, true, marked.nowMillis()).result(0));
                    }));
            return new ClaimedBatch(all.orElse(marked.messages()), marked.more(), marked.nowMillis());
        }
    }

    private static StoredMessage.Builder reserved(
            StoredMessage.Builder message, StoredDocument document, long leaseEndMillis, Fence fence) {
        return message.leaseEndMillis(leaseEndMillis)
                .state(StoredMessage.State.RESERVED)
                .receipt(Receipt.of(MessageIds.text(document.id()), HeldKey.token(fence, document.key())));
    }

    /** Foreign documents may have no number of tries. */
    private static BsonDocument oneMoreTry() {
        BsonDocument number = Fields.doc("$isNumber", Fields.field(Fields.TRIES));
        BsonDocument more = Fields.op("$add", Fields.field(Fields.TRIES), Fields.ONE);
        return Fields.op("$cond", number, more, Fields.ONE);
    }
}
