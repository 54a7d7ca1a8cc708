package dev.jono.backend.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Removes messages that no consumer holds: some by their ids, or all. Blocks the calling thread; thread-safe. */
final class Removals {
    private static final int PURGE_BATCH = 1000;

    private final QueueCollection queue;

    Removals(QueueCollection queue) {
        this.queue = queue;
    }

    RemoveResult remove(RemoveRequest request) {
        List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
        if (ids.isEmpty()) {
            return RemoveResult.builder().build();
        }
        return queue.call(
                "remove",
                true,
                () -> queue.memory().removals.run(request.token(), running -> new Removal(ids, running).result()));
    }

    /**
     * One request and its outcomes so far. A repetition continues after the message at which the first attempt failed.
     */
    private final class Removal {
        private final List<BsonValue> ids;
        private final RepeatableCalls.Running<RemoveResult> running;
        private final List<RemoveOutcome> outcomes = new ArrayList<>();
        /** Finds out what became of a command whose answer was lost. */
        private @Nullable BooleanSupplier unanswered;

        Removal(List<BsonValue> ids, RepeatableCalls.Running<RemoveResult> running) {
            this.ids = ids;
            this.running = running;
        }

        RemoveResult result() {
            try {
                while (outcomes.size() < ids.size()) {
                    outcomes.add(outcome(ids.get(outcomes.size())));
                }
                return RemoveResult.builder().outcomes(outcomes).build();
            } catch (RuntimeException failure) {
                if (unanswered == null && !outcomes.contains(RemoveOutcome.REMOVED)) {
                    throw failure;
                }
                running.onRepeat(() -> Optional.of(result()));
                throw failure instanceof MongoException driverFailure
                        ? MongoErrors.outcomeUnknown("remove", queue.queueName, driverFailure)
                        : failure;
            }
        }

        /** Sends one command per message, because its answer tells the outcome and it can be repeated. */
        private RemoveOutcome outcome(BsonValue id) {
            boolean removed = unanswered == null ? send(id) : unanswered.getAsBoolean();
            unanswered = null;
            return removed ? RemoveOutcome.REMOVED : heldOrAbsent(id);
        }

        private boolean send(BsonValue id) {
            return new RepeatableWrite<>(queue.link, "remove", queue.queueName, session -> removeOne(session, id))
                    .send(again -> unanswered = () -> again.get().orElseGet(() -> removeOne(null, id)));
        }
    }

    private boolean removeOne(@Nullable ClientSession session, BsonValue id) {
        BsonDocument filter = notHeld(queue.live());
        filter.put(Fields.ID, id);
        return queue.consumeOne(session, filter, true);
    }

    private RemoveOutcome heldOrAbsent(BsonValue id) {
        RawBsonDocument present = RepeatedReads.first(
                queue.find(null, queue.live(List.of(id))).projection(Fields.doc(Fields.ID, Fields.ONE)));
        return present == null ? RemoveOutcome.ABSENT : RemoveOutcome.HELD;
    }

    /** Restricts a filter to messages that no consumer holds. */
    private static BsonDocument notHeld(BsonDocument live) {
        BsonDocument filter = live.clone();
        BsonDocument ended = Fields.doc("$expr", Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
        filter.put("$or", new BsonArray(List.of(Fields.doc(Fields.RESERVED, Fields.exists(false)), ended)));
        return filter;
    }

    /**
     * Removes all messages that no consumer holds, in several commands, so that none takes long. Returns their number.
     */
    long purge() {
        return queue.call("purge", true, () -> {
            long purged = 0;
            while (true) {
                List<BsonValue> ids = QueueCollection.ids(
                        queue.find(null, notHeld(queue.liveWithDueTime())).limit(PURGE_BATCH));
                if (ids.isEmpty()) {
                    return purged;
                }
                purged += queue.consume(null, notHeld(queue.live(ids)), true);
            }
        });
    }
}
