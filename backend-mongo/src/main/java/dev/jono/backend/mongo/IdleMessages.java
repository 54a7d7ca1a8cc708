package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.EditOutcome;
import dev.jono.spi.Due;
import dev.jono.spi.EditResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.Transactions;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reschedules and moves messages that no consumer holds. Blocks the calling thread; thread-safe. */
final class IdleMessages {
    private final QueueCollection queue;
    private final CollectionMoves moves;
    private final Transactions transactions;

    IdleMessages(QueueCollection queue, CollectionMoves moves) {
        this.queue = queue;
        this.moves = moves;
        this.transactions = new Transactions(queue.link);
    }

    EditResult reschedule(RescheduleRequest request) {
        List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
        EditResult result = once("reschedule", request.token(), ids, running -> reschedule(request, ids, running));
        queue.scanStart().reset();
        return result;
    }

    private List<EditOutcome> reschedule(
            RescheduleRequest request, List<BsonValue> ids, RepeatableCalls.Running<List<EditOutcome>> running) {
        long due = queue.dueMillis(request.due());
        if (queue.layout.maxPerKey() > 0) {
            return transactions.run(
                    "reschedule",
                    queue.queueName,
                    session -> new KeyedEdits(queue, session).reschedule(ids, due),
                    running);
        }
        List<BsonDocument> change = change(request.due(), due);
        return new IdleChange(
                        queue, "reschedule", ids, (session, filter) -> changeOne(session, filter, change), running)
                .outcomes();
    }

    private boolean changeOne(@Nullable ClientSession session, BsonDocument filter, List<BsonDocument> change) {
        return (session == null
                                ? queue.documents.updateOne(filter, change)
                                : queue.documents.updateOne(session, filter, change))
                        .getMatchedCount()
                == 1;
    }

    /** A message that is due at once gets the time of the server's clock. */
    private List<BsonDocument> change(Due due, long dueMillis) {
        boolean later = due.absolute() || due.millis() > 0;
        List<String> unset = Fields.reservation(queue.layout);
        unset.add(Fields.EXACT_DUE);
        return List.of(
                Fields.doc("$set", Fields.doc(queue.dueField, later ? Fields.date(dueMillis) : Fields.NOW)),
                History.unset(unset));
    }

    EditResult move(MoveIdleRequest request) {
        List<BsonValue> ids = request.ids().stream().map(MessageIds::value).toList();
        return once("moveIdle", request.token(), ids, running -> moves.moveIdle(request, ids, running));
    }

    private EditResult once(
            String step,
            String token,
            List<BsonValue> ids,
            Function<RepeatableCalls.Running<List<EditOutcome>>, List<EditOutcome>> body) {
        if (ids.isEmpty()) {
            return EditResult.builder().build();
        }
        return queue.call(step, true, () -> {
            queue.link.time(); // read now: after a change nothing may fail
            return queue.memory()
                    .edits
                    .run(
                            token,
                            running -> result(body.apply(
                                    later -> running.onRepeat(() -> later.get().map(this::result)))));
        });
    }

    private EditResult result(List<EditOutcome> outcomes) {
        return EditResult.builder()
                .outcomes(outcomes)
                .storageMillis(queue.link.lastKnownTime().nowMillis())
                .build();
    }
}
