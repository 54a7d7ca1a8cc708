package dev.jono.backend.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.PinnedSession;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Takes one message in one command, where marking it and deleting it would be two that each wait for the journal. Sent again
 * in its session, the command answers with the same message: a replica set keeps what the last one of a session removed.
 */
final class SingleTake {
    /** {@code IncompleteTransactionHistory}, as a member answers that lacks what was removed, such as a new one. */
    private static final int FORGOTTEN = 217;

    private static final FindOneAndDeleteOptions EARLIEST =
            new FindOneAndDeleteOptions().sort(Fields.doc(Fields.MATURE, Fields.ONE));

    private final Place place;

    SingleTake(Place place) {
        this.place = place;
    }

    /** Whether it can be done: a command without a number would take another message the second time, and history is no deletion. */
    boolean possible() {
        return place.link.retriesWrites() && place.layout.historyMillis() == 0;
    }

    /**
     * The message that is due first; nothing if none is.
     *
     * @param way where to leave how a repetition finds out what became of this call
     */
    Optional<Found> run(RepeatableCalls.Way<Optional<Found>> way) {
        ScanStart.Begin begin = place.start().begin();
        Optional<Found> found = from(begin.millis(), way);
        if (found.isEmpty() && begin.millis() != ScanStart.BEGINNING) {
            begin = place.start().reset();
            found = from(begin.millis(), way);
        }
        if (found.isPresent()) {
            place.start().found(begin, found.get().matureMillis());
        }
        return found;
    }

    private Optional<Found> from(long from, RepeatableCalls.Way<Optional<Found>> way) {
        BsonDocument filter = place.dueFrom(from);
        PinnedSession session = new PinnedSession(place.link.client());
        boolean over = true;
        try {
            return removed(session, filter);
        } catch (MongoException failure) {
            if (MongoErrors.unknown(failure)) {
                over = false;
                way.leave(() -> Optional.of(place.call("pop", true, () -> again(session, filter))));
            }
            throw failure;
        } finally {
            if (over) {
                session.close();
            }
        }
    }

    private Optional<Found> again(PinnedSession session, BsonDocument filter) {
        try {
            Optional<Found> found = removed(session, filter);
            session.close();
            return found;
        } catch (MongoException failure) {
            if (failure.getCode() == FORGOTTEN) {
                // It has removed a message, and no repetition will tell which.
                throw new IllegalStateException("the server has forgotten what this pop removed", failure);
            }
            throw failure;
        }
    }

    private Optional<Found> removed(PinnedSession session, BsonDocument filter) {
        RawBsonDocument document = place.collection.findOneAndDelete(session.attempt(), filter, EARLIEST);
        return Optional.ofNullable(document).map(Found::read);
    }
}
