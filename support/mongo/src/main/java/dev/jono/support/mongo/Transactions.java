package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.jono.StorageException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps that are done as a whole or not at all. A commit whose answer is lost is asked again by the driver; where that is
 * not answered either, the session stays open, so that a repeated call can ask once more. Thread-safe.
 */
public final class Transactions {
    /** Each attempt takes some milliseconds at least. */
    private static final int ATTEMPTS = 500;
    /** How often the time that a command may take: as long as the driver tries a single write, and its repetition. */
    private static final int TIMEOUTS = 2;

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY.withJournal(true))
            .readPreference(ReadPreference.primary())
            .build();

    private final MongoLink link;

    /** Over this connection, whose server must be {@link MongoLink#replicated()}. */
    public Transactions(MongoLink link) {
        this.link = link;
    }

    /**
     * Tries until it is done.
     *
     * @param step for messages
     * @param queue for messages
     * @param body its calls, with the session; may run several times; what it throws aborts
     * @param way gets to know how to find out whether a commit without an answer was done
     * @throws MongoException what the driver throws
     * @throws StorageException if others' changes were in the way each time, or no server could be reached
     */
    public <R> R run(String step, String queue, Function<ClientSession, R> body, RepeatableCalls.Way<R> way) {
        long begunNanos = link.timeAsSeen().nanos();
        long patienceNanos = link.options().timeout().multipliedBy(TIMEOUTS).toNanos();
        for (int attempt = 1; ; attempt++) {
            Optional<R> done = attempt(step, queue, body, way);
            if (done.isPresent()) {
                return done.get();
            }
            if (attempt == ATTEMPTS || link.timeAsSeen().nanos() - begunNanos > patienceNanos) {
                throw new StorageException(
                        step + " on queue '" + queue + "' failed: changes of others, or failures of the connection,"
                                + " were in the way " + attempt + " times",
                        queue,
                        null,
                        null);
            }
        }
    }

    /**
     * Tries once.
     *
     * @param step for messages
     * @param queue for messages
     * @param body its calls, with the session; what it throws aborts, and so does a result of null
     * @param way gets to know how to find out whether a commit without an answer was done
     * @return what the body returned, committed; empty where nothing was done, because another's change was in the way or
     *     the body returned null
     * @throws MongoException what the driver throws; also where the answer to the commit was lost
     */
    public <R> Optional<R> attempt(
            String step,
            String queue,
            Function<ClientSession, ? extends @Nullable R> body,
            RepeatableCalls.Way<R> way) {
        ClientSession session = link.client().startSession();
        boolean keep = false;
        try {
            session.startTransaction(OPTIONS);
            R result = body.apply(session);
            if (result == null) {
                session.abortTransaction();
                return Optional.empty();
            }
            try {
                commit(session);
            } catch (MongoException failure) {
                if (MongoErrors.unknown(failure)) {
                    keep = true;
                    way.leave(() -> settled(step, queue, session, result));
                }
                throw failure;
            }
            return Optional.of(result);
        } catch (MongoException failure) {
            if (!keep && MongoErrors.transientTransaction(failure)) {
                return Optional.empty();
            }
            throw failure;
        } finally {
            if (!keep) {
                session.close(); // aborts what is under way
            }
        }
    }

    /** A transaction that grew too old at its commit: the server ends the wait for the majority, not what it has committed. */
    private static void commit(ClientSession session) {
        try {
            session.commitTransaction();
        } catch (MongoWriteConcernException failure) {
            if (failure.getCode() != MongoErrors.TRANSACTION_TOO_OLD) {
                throw failure;
            }
            session.commitTransaction(); // waits again
        }
    }

    /** Asks again for a commit. Only the server can tell that it was not done: a question that was not sent tells nothing. */
    private static <R> Optional<R> settled(String step, String queue, ClientSession session, R result) {
        try {
            session.commitTransaction();
        } catch (MongoException failure) {
            if (MongoErrors.unknown(failure) || !(failure instanceof MongoServerException)) {
                throw MongoErrors.begun(step, queue, failure);
            }
            session.close();
            return Optional.empty();
        }
        session.close();
        return Optional.of(result);
    }
}
