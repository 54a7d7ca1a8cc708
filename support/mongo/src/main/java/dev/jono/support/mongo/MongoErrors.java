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
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the driver fails with, as exceptions of Jono's. What the server has refused it has not done. What was not answered,
 * was interrupted by a change of the primary, or is not confirmed by a majority, may have been done, or may last.
 */
public final class MongoErrors {
    /** Two messages of one id. */
    public static final int DUPLICATE_KEY = 11000;
    /** What is to be created is there. */
    public static final int NAMESPACE_EXISTS = 48;

    /** There is no collection of that name. */
    public static final int NAMESPACE_NOT_FOUND = 26;
    /** A collection that was made or changed after the moment that is asked for. */
    public static final int SNAPSHOT_UNAVAILABLE = 246;

    /** The server's {@code transactionLifetimeLimitSeconds} is over; what ran then is told so, without a label. */
    static final int TRANSACTION_TOO_OLD = 290;

    /** The collection was renamed or dropped, as the deletion of a queue does, while a command was at it. */
    private static final int QUERY_PLAN_KILLED = 175;

    /** The primary went away, or the network or the collection did, while the server was at it. */
    private static final Set<Integer> INTERRUPTED =
            Set.of(6, 7, 64, 89, 91, QUERY_PLAN_KILLED, 189, 262, 9001, 10107, 11600, 11601, 11602, 13435, 13436, 50);

    /** It is not, or no more, the primary; also as a server of before 4.4 says it. */
    private static final Set<Integer> NOT_PRIMARY = Set.of(10107, 13435, 10058);

    private static final Set<Integer> NO_RIGHT = Set.of(13, 18, 8000);
    private static final int DISK_FULL = 14031;

    private MongoErrors() {}

    /**
     * The exception for a caller.
     *
     * @param step what was tried: {@code push}
     * @param queue the queue, where there is one
     * @param mutating whether it would have changed something
     */
    public static JonoException translate(String step, @Nullable String queue, boolean mutating, Throwable failure) {
        if (failure instanceof JonoException ours) {
            return ours;
        }
        String what = step + (queue == null ? "" : " on queue '" + queue + "'");
        if (mutating && unknown(failure)) {
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

    /** The exception where an earlier command of the same call is done, whatever this one failed with. */
    public static OutcomeUnknownException begun(String step, String queue, RuntimeException failure) {
        if (failure instanceof OutcomeUnknownException told) {
            return told;
        }
        return unconfirmed(step + " on queue '" + queue + "'", queue, failure);
    }

    /** The exception where the server cannot be asked what became of a command whose answer was lost. */
    public static OutcomeUnknownException untold(String step, String queue) {
        return begun(step, queue, new MongoException("the server cannot tell by now"));
    }

    private static OutcomeUnknownException unconfirmed(String what, @Nullable String queue, Throwable failure) {
        return new OutcomeUnknownException(
                what + " was sent to MongoDB and not confirmed, so it may or may not be done: " + text(failure),
                queue,
                null,
                failure);
    }

    /** Whether what failed so may have been done, or may yet be. */
    public static boolean unknown(Throwable failure) {
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

    /** Whether the server certainly never saw it: none was found, or the connection could not be made. */
    private static boolean neverSent(Throwable failure) {
        if (failure instanceof MongoOperationTimeoutException) {
            return false; // the URI's timeoutMS, or the client's: it ends calls that were sent
        }
        return failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketOpenException
                || failure instanceof MongoSecurityException
                || failure instanceof MongoConfigurationException
                || failure instanceof MongoClientException;
    }

    /** Whether a server, of whatever call, has answered that it is not the primary. */
    static boolean notPrimary(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoServerException server && NOT_PRIMARY.contains(server.getCode())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a transaction that failed so has done nothing and may be tried again. */
    static boolean transientTransaction(Throwable failure) {
        return failure instanceof MongoException mongo
                && (mongo.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                        || mongo.getCode() == TRANSACTION_TOO_OLD);
    }

    /** Whether the collection was renamed or dropped under a command; the next one meets another, or none. */
    static boolean planKilled(MongoException failure) {
        return failure.getCode() == QUERY_PLAN_KILLED;
    }

    /** The driver's text in one line; a command's reply is told by its own words alone. */
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
                if (NO_RIGHT.contains(mongo.getCode())) {
                    return " (the roles that are needed stand in docs/backends)";
                }
                if (mongo.getCode() == DISK_FULL) {
                    return " (its disk is full)";
                }
            }
        }
        return "";
    }
}
