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
 * What Lettuce fails with, as exceptions of Jono's. What Redis has answered with an error it has not done: Jono's
 * scripts fail before they change anything, or not at all. What was not answered may have been done.
 */
public final class RedisErrors {
    private static final Pattern IN_SCRIPT = Pattern.compile("^ERR Error running script .*?: -?([A-Z]{3,}) ");

    private RedisErrors() {}

    /** Without the wrappers of completions. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * The exception for a caller.
     *
     * @param step what was tried: {@code push}
     * @param queue the queue, where there is one
     * @param mutating whether it would have changed something
     */
    public static JonoException translate(String step, @Nullable String queue, boolean mutating, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof JonoException ours) {
            return ours;
        }
        String what = step + (queue == null ? "" : " on queue '" + queue + "'");
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

    /** What was asked for after the end. */
    static QueueClosedException closed(
            String step, @Nullable String queue, Object connection, @Nullable Throwable cause) {
        return new QueueClosedException(
                step + (queue == null ? "" : " on queue '" + queue + "'") + " is not done: the connection to "
                        + connection + " is closed",
                queue,
                null,
                cause);
    }

    /** Whether a failure means that Redis never saw the command. */
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

    /** Whether the connection broke while the answer was awaited. */
    static boolean cutOff(Throwable cause) {
        return cause instanceof RedisException && "Connection disconnected".equals(cause.getMessage());
    }

    /** The code of an answer that is an error; Redis before 7 hides that of a script's command in a sentence. */
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
            case "NOPERM" -> " (the rights that are needed stand in docs/backends)";
            case "MISCONF" -> " (it cannot save to its disk)";
            case "TRYAGAIN" ->
                " (the queue's slot is on its way to another node: wait until it is there, or raise jono.timeout)";
            case "NOREPLICAS" -> " (fewer replicas are connected than its min-replicas-to-write)";
            case "CROSSSLOT" -> " (the keys of this queue are not in one slot: check the hash tag of jono.prefix)";
            case "CLUSTERDOWN" -> " (a part of the Cluster has no primary)";
            default -> "";
        };
    }
}
