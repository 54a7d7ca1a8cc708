package dev.jono.support.redis;

import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates Lettuce's exceptions into Jono's. A command that Redis answers with an error has changed nothing, because Jono's
 * scripts fail before their first change or not at all. A command without an answer may have been executed.
 */
public final class RedisErrors {
    private static final Pattern IN_SCRIPT = Pattern.compile("^ERR Error running script .*?: -?([A-Z]{3,}) ");

    private RedisErrors() {}

    /** The cause inside the wrappers of completion stages. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * The exception for the caller of an operation.
     *
     * @param step the operation, such as {@code push}
     * @param queue the queue; null if no single queue is concerned
     * @param mutating whether the command would have changed something
     */
    public static JonoException translate(String step, @Nullable String queue, boolean mutating, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof JonoException ours) {
            return ours;
        }
        String what = operation(step, queue);
        if (cause instanceof RedisCommandExecutionException) {
            String text = String.valueOf(cause.getMessage());
            return new StorageException(what + " was refused by Redis: " + text + advice(text), queue, null, cause);
        }
        if (!mutating || neverSent(cause)) {
            return new StorageException(what + " failed: " + cause.getMessage(), queue, null, cause);
        }
        return new OutcomeUnknownException(
                what + " was sent to Redis and not answered, so it may or may not be done: " + cause.getMessage(),
                queue,
                null,
                cause);
    }

    /** An operation and its queue, if it has one, for messages. */
    static String operation(String step, @Nullable String queue) {
        return step + (queue == null ? "" : " on queue '" + queue + "'");
    }

    /** The exception for an operation on a closed connection. */
    static QueueClosedException closed(
            String step, @Nullable String queue, Object connection, @Nullable Throwable cause) {
        return new QueueClosedException(
                operation(step, queue) + " is not done: the connection to " + connection + " is closed",
                queue,
                null,
                cause);
    }

    /** Whether Redis has certainly not seen the command. */
    static boolean neverSent(Throwable cause) {
        if (cause instanceof RedisConnectionException) {
            return true;
        }
        String text = cause instanceof RedisException ? cause.getMessage() : null;
        return text != null
                && (text.startsWith("Currently not connected")
                        || text.equals("Connection is closed")
                        || text.contains("queue size exceeded")
                        || text.contains("buffer size exceeded"));
    }

    /** Whether Redis has answered with an error. */
    static boolean refused(Throwable failure) {
        return unwrap(failure) instanceof RedisCommandExecutionException;
    }

    /** Whether the connection broke before the answer arrived. */
    static boolean cutOff(Throwable cause) {
        return cause instanceof RedisException && "Connection disconnected".equals(cause.getMessage());
    }

    /** Whether Redis has answered with an error of this code. */
    public static boolean hasCode(Throwable failure, String code) {
        Throwable cause = unwrap(failure);
        Throwable refusal = cause instanceof StorageException ? cause.getCause() : cause;
        return refusal instanceof RedisCommandExecutionException
                && code(refusal).equals(code);
    }

    /** The code of an error. Before version 7, Redis puts the code of a script's command inside a sentence. */
    static String code(Throwable refusal) {
        return code(String.valueOf(refusal.getMessage()));
    }

    private static String code(String text) {
        Matcher script = IN_SCRIPT.matcher(text);
        return script.find() ? script.group(1) : text.split(" ", 2)[0].toUpperCase(Locale.ROOT);
    }

    private static String advice(String text) {
        return switch (code(text)) {
            case "OOM" -> " (its memory is full: consume, or raise maxmemory)";
            case "READONLY" -> " (this is a replica: connect to the primary, or through Sentinel)";
            case "WRONGTYPE" -> " (something else is stored under the keys of this queue)";
            case "NOAUTH", "WRONGPASS" -> " (check user and password)";
            case "NOPERM" -> " (docs/backends lists the rights that are needed)";
            case "MISCONF" -> " (it cannot save to its disk)";
            case "TRYAGAIN" ->
                " (the queue's slot is being moved to another node: wait until it is there, or raise jono.timeout)";
            case "NOREPLICAS" -> " (fewer replicas are connected than its min-replicas-to-write)";
            case "CROSSSLOT" -> " (the keys of this queue are not in one slot: check the hash tag of jono.prefix)";
            case "CLUSTERDOWN" -> " (a part of the Cluster has no primary)";
            default -> "";
        };
    }
}
