package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import dev.jono.OtherStorageException;
import dev.jono.Tx;
import java.util.function.Function;

/** Runs steps in transactions of the application, which begins and ends them. Blocks the calling thread; stateless. */
public final class JoinedTransactions {
    private static final String OTHER_CLIENT = "from same MongoClient";

    private JoinedTransactions() {}

    /**
     * Runs steps in a transaction.
     *
     * @param step the step for error messages, such as {@code push}
     * @param queue the queue for error messages
     * @throws OtherStorageException if it is no transaction on MongoDB, or its session belongs to another client
     * @throws IllegalArgumentException if no transaction is open
     * @throws MongoException if the transaction may be tried again, as the driver gave it
     * @throws dev.jono.StorageException if MongoDB refused the steps
     */
    public static <R> R run(String step, String queue, Tx tx, Function<ClientSession, R> body) {
        String what = MongoErrors.what(step, queue) + " in a transaction: ";
        if (!(tx instanceof MongoTx own)) {
            String found = tx.getClass().getName();
            throw new OtherStorageException(
                    what + "the queue is in MongoDB, which needs a MongoTx, and not a " + found, queue, null);
        }
        if (!own.session().hasActiveTransaction()) {
            throw new IllegalArgumentException(what + "the session has no transaction: call startTransaction()");
        }
        try {
            return body.apply(own.session());
        } catch (MongoException failure) {
            if (MongoErrors.transientTransaction(failure)) {
                throw failure;
            }
            throw MongoErrors.translate(step, queue, /* mutating= */ false, failure);
        } catch (IllegalStateException | IllegalArgumentException failure) {
            if (String.valueOf(failure.getMessage()).contains(OTHER_CLIENT)) {
                throw new OtherStorageException(
                        what + "its session belongs to another client than the one that Jono uses: hand in the client"
                                + " of the application with MongoStorage.of",
                        queue,
                        failure);
            }
            throw failure;
        }
    }
}
