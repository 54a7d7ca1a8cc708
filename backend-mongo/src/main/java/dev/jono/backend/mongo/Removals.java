package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.EditOutcome;
import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.Transactions;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
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
                () -> queue.memory().removals.run(request.token(), running -> {
                    RepeatableCalls.Running<List<EditOutcome>> later =
                            outcome -> running.onRepeat(() -> outcome.get().map(Removals::result));
                    return result(
                            queue.layout.maxPerKey() == 0
                                    ? new IdleChange(queue, "remove", ids, this::consumeOne, later).outcomes()
                                    : keyed(ids, later));
                }));
    }

    private boolean consumeOne(@Nullable ClientSession session, BsonDocument filter) {
        return queue.consumeOne(session, filter, true);
    }

    private List<EditOutcome> keyed(List<BsonValue> ids, RepeatableCalls.Running<List<EditOutcome>> running) {
        return new Transactions(queue.link)
                .run("remove", queue.queueName, session -> new KeyedEdits(queue, session).remove(ids), running);
    }

    private static RemoveResult result(List<EditOutcome> outcomes) {
        List<RemoveOutcome> removed = outcomes.stream()
                .map(outcome -> switch (outcome) {
                    case DONE -> RemoveOutcome.REMOVED;
                    case HELD -> RemoveOutcome.HELD;
                    case ABSENT -> RemoveOutcome.ABSENT;
                })
                .toList();
        return RemoveResult.builder().outcomes(removed).build();
    }

    /**
     * Removes all messages that no consumer holds, in several commands, so that none takes long. Returns their number.
     */
    long purge() {
        return queue.call("purge", true, () -> {
            if (queue.layout.maxPerKey() == 0) {
                return purge(queue.liveWithDueTime());
            }
            // Blocked messages first: otherwise each removal would admit one of them.
            return purge(waiting()) + purge(queue.live());
        });
    }

    private BsonDocument waiting() {
        BsonDocument filter = queue.live();
        filter.put(Fields.BEHIND, Fields.exists(true));
        return filter;
    }

    private long purge(BsonDocument which) {
        long purged = 0;
        while (true) {
            List<BsonValue> ids = QueueCollection.ids(
                    queue.find(null, IdleChange.notHeld(which, queue.dueField)).limit(PURGE_BATCH));
            if (ids.isEmpty()) {
                return purged;
            }
            purged += queue.layout.maxPerKey() == 0
                    ? queue.consume(null, IdleChange.notHeld(queue.live(ids), queue.dueField), true)
                    : keyed(ids, outcome -> {}).stream()
                            .filter(outcome -> outcome == EditOutcome.DONE)
                            .count();
        }
    }
}
