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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Removes by hand what nobody holds: some messages, or all. */
final class Removals {
    private static final int PURGED_AT_ONCE = 1000;

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
                () -> queue.memory().removals.run(request.token(), way -> new Request(ids, way).result()));
    }

    /** One request, and what has become of it: its repetition goes on where a failure has ended it. */
    private final class Request {
        private final List<BsonValue> ids;
        private final RepeatableCalls.Way<RemoveResult> way;
        private final List<RemoveOutcome> outcomes = new ArrayList<>();
        /** Asks for the answer that was lost. */
        private @Nullable BooleanSupplier unanswered;

        Request(List<BsonValue> ids, RepeatableCalls.Way<RemoveResult> way) {
            this.ids = ids;
            this.way = way;
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
                way.leave(() -> Optional.of(result()));
                throw failure instanceof MongoException plain
                        ? MongoErrors.begun("remove", queue.name, plain)
                        : failure;
            }
        }

        /** A command for each tells what became of it, and can be sent again. */
        private RemoveOutcome outcome(BsonValue id) {
            boolean removed = unanswered == null ? sent(id) : unanswered.getAsBoolean();
            unanswered = null;
            return removed ? RemoveOutcome.REMOVED : kept(id);
        }

        private boolean sent(BsonValue id) {
            return new RepeatableWrite<>(queue.link, "remove", queue.name, session -> one(session, id))
                    .send(again -> unanswered = () -> again.get().orElseGet(() -> one(null, id)));
        }
    }

    private boolean one(@Nullable ClientSession session, BsonValue id) {
        BsonDocument one = free(queue.live());
        one.put(Fields.ID, id);
        return queue.consumeOne(session, one, true);
    }

    private RemoveOutcome kept(BsonValue id) {
        boolean there = queue.find(null, queue.live(List.of(id)))
                        .projection(Fields.doc(Fields.ID, Fields.ONE))
                        .first()
                != null;
        return there ? RemoveOutcome.HELD : RemoveOutcome.ABSENT;
    }

    /** Those that nobody holds. */
    private static BsonDocument free(BsonDocument live) {
        BsonDocument filter = live.clone();
        BsonDocument ended = Fields.doc("$expr", Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
        filter.put("$or", new BsonArray(List.of(Fields.doc(Fields.RESERVED, Fields.exists(false)), ended)));
        return filter;
    }

    /** In parts, so that none takes long. */
    long purge() {
        return queue.call("purge", true, () -> {
            long purged = 0;
            while (true) {
                List<BsonValue> some = new ArrayList<>();
                queue.find(null, free(queue.liveWithDueTime()))
                        .projection(Fields.doc(Fields.ID, Fields.ONE))
                        .limit(PURGED_AT_ONCE)
                        .forEach(document -> some.add(document.get(Fields.ID)));
                if (some.isEmpty()) {
                    return purged;
                }
                purged += queue.consume(null, free(queue.live(some)), true);
            }
        });
    }
}
