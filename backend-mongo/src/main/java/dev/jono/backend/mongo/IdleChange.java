package dev.jono.backend.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import dev.jono.EditOutcome;
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

/**
 * A change of messages that no consumer holds, in a queue without keys. It sends one command per message, because the
 * answer of the command tells the outcome, and it can be repeated. A repetition of the call continues after the message
 * at which the first attempt failed. Used by one thread at a time.
 */
final class IdleChange {
    private final QueueCollection queue;
    private final String step;
    private final List<BsonValue> ids;
    private final Command command;
    private final RepeatableCalls.Running<List<EditOutcome>> running;
    private final List<EditOutcome> outcomes = new ArrayList<>();
    /** Finds out what became of a command whose answer was lost. */
    private @Nullable BooleanSupplier unanswered;

    /** Changes a message. */
    interface Command {
        /** Changes one message that matches; returns whether one matched. */
        boolean changeOne(@Nullable ClientSession session, BsonDocument filter);
    }

    /** @param running gets what a repetition of the call does */
    IdleChange(
            QueueCollection queue,
            String step,
            List<BsonValue> ids,
            Command command,
            RepeatableCalls.Running<List<EditOutcome>> running) {
        this.queue = queue;
        this.step = step;
        this.ids = ids;
        this.command = command;
        this.running = running;
    }

    /** Makes the changes; returns the outcome of each. */
    List<EditOutcome> outcomes() {
        try {
            while (outcomes.size() < ids.size()) {
                outcomes.add(outcome(ids.get(outcomes.size())));
            }
            return outcomes;
        } catch (RuntimeException failure) {
            if (unanswered == null && !outcomes.contains(EditOutcome.DONE)) {
                throw failure;
            }
            running.onRepeat(() -> Optional.of(outcomes()));
            throw failure instanceof MongoException driverFailure
                    ? MongoErrors.outcomeUnknown(step, queue.queueName, driverFailure)
                    : failure;
        }
    }

    private EditOutcome outcome(BsonValue id) {
        boolean done = unanswered == null ? send(id) : unanswered.getAsBoolean();
        unanswered = null;
        return done ? EditOutcome.DONE : heldOrAbsent(id);
    }

    private boolean send(BsonValue id) {
        return new RepeatableWrite<>(queue.link, step, queue.queueName, session -> changeOne(session, id))
                .send(again -> unanswered = () -> again.get().orElseGet(() -> changeOne(null, id)));
    }

    private boolean changeOne(@Nullable ClientSession session, BsonValue id) {
        return command.changeOne(session, notHeld(queue.live(List.of(id)), queue.dueField));
    }

    private EditOutcome heldOrAbsent(BsonValue id) {
        RawBsonDocument present = RepeatedReads.first(
                queue.find(null, queue.live(List.of(id))).projection(Fields.doc(Fields.ID, Fields.ONE)));
        return present == null ? EditOutcome.ABSENT : EditOutcome.HELD;
    }

    /** Restricts a filter to messages that no consumer holds. A message without a due time is not held. */
    static BsonDocument notHeld(BsonDocument live, String dueField) {
        BsonDocument filter = live.clone();
        BsonDocument ended = Fields.doc("$expr", Fields.isDue(dueField));
        filter.put("$or", new BsonArray(List.of(Fields.doc(Fields.RESERVED, Fields.exists(false)), ended)));
        return filter;
    }
}
