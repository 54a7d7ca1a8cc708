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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps in a transaction, so that all or none take effect. If the answer to a commit is lost, the driver commits
 * again. If that answer is lost too, the session stays open, so that a repetition of the call can commit once more.
 * Blocks the calling thread; thread-safe.
 */
public final class Transactions {
    /** Others that compete for the same keys let a transaction through after a few attempts. */
    private static final int ATTEMPTS_WITHOUT_PAUSE = 10;
    /** A process that was killed within a transaction keeps its locks until the server ends the transaction. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Attempts may take this many command timeouts, as long as the driver tries a single write and its repetition. */
    private static final int TIMEOUTS = 2;

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY.withJournal(true))
            .readPreference(ReadPreference.primary())
            .build();

    private final MongoLink link;

    /** Transactions over a connection, whose server must be {@link MongoLink#replicated()}. */
    public Transactions(MongoLink link) {
        this.link = link;
    }

    /**
     * Runs a transaction, repeatedly while it conflicts with others.
     *
     * @param step the step for error messages
     * @param queue the queue for error messages; null if the transaction concerns no queue
     * @param body the calls of the transaction; may run several times; an exception aborts it
     * @param running gets what a repetition does to find out whether a commit without an answer was done
     * @throws MongoException if the driver fails
     * @throws StorageException if changes of others interfered each time, or no server could be reached
     */
    public <R> R run(
            String step, @Nullable String queue, Function<ClientSession, R> body, RepeatableCalls.Running<R> running) {
        long startNanos = link.lastKnownTime().nanos();
        long limitNanos = link.options().timeout().multipliedBy(TIMEOUTS).toNanos();
        for (int attempt = 1; ; attempt++) {
            Optional<R> done = attempt(step, queue, body, running);
            if (done.isPresent()) {
                return done.get();
            }
            if (link.lastKnownTime().nanos() - startNanos > limitNanos) {
                throw new StorageException(
                        MongoErrors.what(step, queue) + " failed " + attempt + " times because of concurrent changes or"
                                + " connection failures",
                        queue,
                        null,
                        null);
            }
            pause(attempt);
        }
    }

    private static void pause(int attempt) {
        int doublings = attempt - ATTEMPTS_WITHOUT_PAUSE;
        if (doublings >= 0) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(1) << Math.min(doublings, 10);
            LockSupport.parkNanos(Math.min(nanos, LONGEST_PAUSE_NANOS));
        }
    }

    /**
     * Runs a transaction once.
     *
     * @param step the step for error messages
     * @param queue the queue for error messages; null if the transaction concerns no queue
     * @param body the calls of the transaction; an exception or a result of null aborts it
     * @param running gets what a repetition does to find out whether a commit without an answer was done
     * @return the result of the body, committed; empty if nothing was changed, because of a conflict or a result of
     *     null
     * @throws MongoException if the driver fails, also if the answer to the commit was lost
     */
    public <R> Optional<R> attempt(
            String step,
            @Nullable String queue,
            Function<ClientSession, ? extends @Nullable R> body,
            RepeatableCalls.Running<R> running) {
        ClientSession session = link.client().startSession();
        boolean keepSession = false;
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
                if (MongoErrors.mayHaveTakenEffect(failure)) {
                    keepSession = true;
                    running.onRepeat(() -> commitAgain(step, queue, session, result));
                }
                throw failure;
            }
            return Optional.of(result);
        } catch (MongoException failure) {
            if (!keepSession && MongoErrors.transientTransaction(failure)) {
                return Optional.empty();
            }
            throw failure;
        } finally {
            if (!keepSession) {
                session.close(); // aborts an open transaction
            }
        }
    }

    /** If the transaction exceeds its lifetime during the commit, the server ends only the wait for the majority. */
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

    /** Commits again after a lost answer. Only an answer of the server proves that the commit was not done. */
    private static <R> Optional<R> commitAgain(String step, @Nullable String queue, ClientSession session, R result) {
        try {
            session.commitTransaction();
        } catch (MongoException failure) {
            if (MongoErrors.mayHaveTakenEffect(failure) || !(failure instanceof MongoServerException)) {
                throw MongoErrors.outcomeUnknown(step, queue, failure);
            }
            session.close();
            return Optional.empty();
        }
        session.close();
        return Optional.of(result);
    }
}
