package dev.jono.support.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.bulk.BulkWriteError;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates the driver's exceptions into Jono's. A command that the server refused was not done. A command without an
 * answer, one that a change of the primary interrupted, and one that a majority did not confirm may have been done.
 * Stateless.
 */
public final class MongoErrors {
    /** A second document with the same id. */
    public static final int DUPLICATE_KEY = 11000;
    /** A collection that is to be created exists. */
    public static final int NAMESPACE_EXISTS = 48;

    /** The collection has a validator, which refuses the document. */
    private static final int DOCUMENT_VALIDATION = 121;

    /** There is no collection with that name. */
    public static final int NAMESPACE_NOT_FOUND = 26;
    /** The collection was created or changed after the time of the snapshot. */
    public static final int SNAPSHOT_UNAVAILABLE = 246;

    /** The transaction exceeded {@code transactionLifetimeLimitSeconds}. The error has no label. */
    static final int TRANSACTION_TOO_OLD = 290;

    /** The collection was renamed or dropped during a command, for example because the queue was deleted. */
    private static final int QUERY_PLAN_KILLED = 175;

    /** The primary, the network or the collection went away during the command. */
    private static final Set<Integer> INTERRUPTED =
            Set.of(6, 7, 64, 89, 91, QUERY_PLAN_KILLED, 189, 262, 9001, 10107, 11600, 11601, 11602, 13435, 13436, 50);

    /** The server is not the primary; the last code is that of servers before 4.4. */
    private static final Set<Integer> NOT_PRIMARY = Set.of(10107, 13435, 10058);

    private static final Set<Integer> MISSING_RIGHTS = Set.of(13, 18, 8000);
    private static final int DISK_FULL = 14031;

    private MongoErrors() {}

    /**
     * Translates an exception.
     *
     * @param step the step that failed, such as {@code push}
     * @param queue the queue; null if the step concerns no single queue
     * @param mutating whether the step changes something
     */
    public static JonoException translate(String step, @Nullable String queue, boolean mutating, Throwable failure) {
        if (failure instanceof JonoException ours) {
            return ours;
        }
        String what = what(step, queue);
        if (mutating && mayHaveTakenEffect(failure)) {
            return unconfirmed(what, queue, failure);
        }
        return new StorageException(
                what
                        + (failure instanceof MongoServerException ? " was refused by MongoDB: " : " failed: ")
                        + text(failure)
                        + advice(failure),
                queue,
                null,
                failure);
    }

    /** The exception if a command fails after an earlier command of the same call took effect. */
    public static OutcomeUnknownException outcomeUnknown(
            String step, @Nullable String queue, RuntimeException failure) {
        if (failure instanceof OutcomeUnknownException unknown) {
            return unknown;
        }
        return unconfirmed(what(step, queue), queue, failure);
    }

    /** The beginning of an error message. */
    static String what(String step, @Nullable String queue) {
        return step + (queue == null ? "" : " on queue '" + queue + "'");
    }

    /** The exception if an answer was lost and the server cannot be asked what became of the command. */
    public static OutcomeUnknownException outcomeUnknown(String step, String queue) {
        return outcomeUnknown(step, queue, new MongoException("the server no longer knows whether it was done"));
    }

    private static OutcomeUnknownException unconfirmed(String what, @Nullable String queue, Throwable failure) {
        return new OutcomeUnknownException(
                what + " was sent to MongoDB and not confirmed, so it may or may not be done: " + text(failure),
                queue,
                null,
                failure);
    }

    /** Whether a command with this failure may have taken effect, or may still do so. */
    public static boolean mayHaveTakenEffect(Throwable failure) {
        if (failure instanceof MongoWriteConcernException || failure instanceof OutcomeUnknownException) {
            return true;
        }
        if (failure instanceof MongoBulkWriteException bulk) {
            return bulk.getWriteConcernError() != null
                    || bulk.getWriteErrors().stream().anyMatch(error -> INTERRUPTED.contains(error.getCode()));
        }
        if (failure instanceof MongoServerException server) {
            return INTERRUPTED.contains(server.getCode())
                    || server.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
        }
        return failure instanceof MongoException && !neverSent(failure);
    }

    /** Whether the command certainly reached no server: none was found, or no connection could be made. */
    private static boolean neverSent(Throwable failure) {
        if (failure instanceof MongoOperationTimeoutException) {
            return false; // the option timeoutMS also ends calls that were sent
        }
        return failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketOpenException
                || failure instanceof MongoSecurityException
                || failure instanceof MongoConfigurationException
                || failure instanceof MongoClientException;
    }

    /** Whether a server answered that it is not the primary. */
    static boolean notPrimary(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoServerException server && NOT_PRIMARY.contains(server.getCode())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the validator of the collection has refused a document. */
    public static boolean refusesDocument(BulkWriteError error) {
        return error.getCode() == DOCUMENT_VALIDATION;
    }

    /**
     * Whether a transaction that failed so had no effect and may be tried again. A document with the same id was
     * inserted after the snapshot of the transaction.
     */
    static boolean transientTransaction(Throwable failure) {
        if (failure instanceof MongoBulkWriteException bulk
                && bulk.getWriteErrors().stream().anyMatch(error -> error.getCode() == DUPLICATE_KEY)) {
            return true;
        }
        return failure instanceof MongoException mongo
                && (mongo.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                        || mongo.getCode() == TRANSACTION_TOO_OLD);
    }

    /** Whether the collection was renamed or dropped during the command, so that a repetition may succeed. */
    static boolean planKilled(MongoException failure) {
        return failure.getCode() == QUERY_PLAN_KILLED;
    }

    /** The driver's message in one line; for a refused command, only the server's own words. */
    public static String text(Throwable failure) {
        if (failure instanceof MongoCommandException command) {
            return command.getErrorCodeName() + ", " + command.getErrorMessage();
        }
        if (failure instanceof MongoTimeoutException) {
            return UnreachableServers.describe(String.valueOf(failure.getMessage()));
        }
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString();
    }

    static String advice(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoSecurityException) {
                return " (check user, password and authSource)";
            }
            if (cause instanceof MongoException mongo) {
                if (MISSING_RIGHTS.contains(mongo.getCode())) {
                    return " (docs/backends lists the rights that Jono needs)";
                }
                if (mongo.getCode() == DISK_FULL) {
                    return " (its disk is full)";
                }
            }
        }
        return "";
    }
}
