package dev.jono.spi;

import dev.jono.JonoClock;
import dev.jono.JonoException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.MessageFormatter;

/**
 * Logs failures that may occur with every call while a storage is unreachable. It writes one warning a minute for each
 * kind of failure, with the reason and the number of failures that were left out. It writes each failure with its stack
 * trace at debug level. Thread-safe.
 */
public final class OutageLog {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int LONGEST_REASON = 1_000;

    private final JonoClock clock;
    private final ConcurrentMap<String, Kind> kinds = new ConcurrentHashMap<>();

    /** A log that measures the minutes with this clock. */
    public OutageLog(JonoClock clock) {
        this.clock = clock;
    }

    /**
     * The state of one kind of failure.
     *
     * @param sinceNanos when its last line was written
     * @param leftOut how many failures came since then
     * @param leftOutBefore how many failures came between that line and the one before
     */
    private record Kind(long sinceNanos, long leftOut, long leftOutBefore) {}

    /**
     * Logs a failure. Never throws, even if the logger or the failure does.
     *
     * @param logger the name of the logger
     * @param failure the reason; null if there is nothing to add
     * @param format what has failed and what follows, as an SLF4J format; it identifies the kind of failure, whatever the
     *     arguments are
     * @param arguments the arguments of the format
     */
    public void warn(String logger, @Nullable Throwable failure, String format, Object... arguments) {
        try {
            Logger log = LoggerFactory.getLogger(logger);
            String what = MessageFormatter.arrayFormat(format, arguments).getMessage();
            Kind kind = counted(format);
            if (kind.leftOut == 0) {
                log.warn(
                        "{}{}{}",
                        what,
                        failure == null ? "" : ": " + reason(failure),
                        kind.leftOutBefore == 0
                                ? ""
                                : " (and " + kind.leftOutBefore + " more like it since the last line)");
            }
            log.debug("{}", what, failure);
        } catch (Throwable broken) {
            // A failing logger must not stop the handling of messages.
        }
    }

    private Kind counted(String format) {
        long now = clock.nanos();
        return kinds.compute(
                format,
                (key, last) -> last != null && now - last.sinceNanos < MINUTE_NANOS
                        ? new Kind(last.sinceNanos, last.leftOut + 1, last.leftOutBefore)
                        : new Kind(now, 0, last == null ? 0 : last.leftOut));
    }

    /** Returns the message of a failure in one line, without the wrappers of futures. It is cut after 1,000 characters. */
    public static String reason(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text;
        try {
            String message = cause.getMessage();
            text = cause instanceof JonoException && message != null ? message : cause.toString();
        } catch (Throwable broken) {
            text = cause.getClass().getName();
        }
        String line = text.strip().replaceAll("\\s*\\R\\s*", " ");
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "…";
    }
}
