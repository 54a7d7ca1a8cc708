package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Steps that are done as a whole or not at all. A commit whose answer is lost is asked again; one that cannot be asked
 * stays open ({@link Open}), so that the call can be repeated later and takes effect once. Thread-safe.
 */
public final class Transactions {
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

    /** A transaction whose commit was not answered. */
    public static final class Open<R> {
        private final ClientSession session;
        private final R result;

        private Open(ClientSession session, R result) {
            this.session = session;
            this.result = result;
        }

        /**
         * Asks again.
         *
         * @return the result if it is committed; empty if it certainly is not and never will be
         * @throws MongoException if nobody knows yet
         */
        public Optional<R> settle() {
            try {
                session.commitTransaction();
            } catch (MongoException failure) {
                if (MongoErrors.unknown(failure)) {
                    throw failure;
                }
                session.close();
                return Optional.empty();
            }
            session.close();
            return Optional.of(result);
        }
    }

    /**
     * Tries once.
     *
     * @param body its calls, with the session; what it throws aborts
     * @param open gets the transaction where the answer to its commit was lost
     * @return what the body returned, committed; empty where another's change was in the way, and nothing was done
     * @throws MongoException what the driver throws; also where the answer to the commit was lost
     */
    public <R> Optional<R> attempt(Function<ClientSession, R> body, Consumer<Open<R>> open) {
        ClientSession session = link.client().startSession();
        boolean keep = false;
        try {
            session.startTransaction(OPTIONS);
            R result;
            try {
                result = body.apply(session);
            } catch (MongoException failure) {
                abort(session);
                if (MongoErrors.transientTransaction(failure)) {
                    return Optional.empty();
                }
                throw failure;
            } catch (RuntimeException failure) {
                abort(session);
                throw failure;
            }
            try {
                session.commitTransaction();
                return Optional.of(result);
            } catch (MongoException failure) {
                if (MongoErrors.unknown(failure)) {
                    keep = true;
                    open.accept(new Open<>(session, result));
                    throw failure;
                }
                if (MongoErrors.transientTransaction(failure)) {
                    return Optional.empty();
                }
                throw failure;
            }
        } finally {
            if (!keep) {
                session.close();
            }
        }
    }

    private static void abort(ClientSession session) {
        if (session.hasActiveTransaction()) {
            session.abortTransaction(); // tells nothing of its own failures: the server ends it by itself then
        }
    }
}
