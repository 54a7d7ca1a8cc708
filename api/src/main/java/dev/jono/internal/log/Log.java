package dev.jono.internal.log;

import dev.jono.spi.OutageLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes log lines of the engine to SLF4J. A logger can throw, for example when it prints an exception of the application whose
 * methods throw. That fails no step of the engine: the line is written again with the exception as text, or is left out. Called
 * on any thread. Thread-safe.
 */
public final class Log {
    private final String name;
    private final Logger logger;

    private Log(String name) {
        this.name = name;
        this.logger = LoggerFactory.getLogger(name);
    }

    /** The log of this name. */
    public static Log named(String name) {
        return new Log(name);
    }

    /** One of the logger's levels. */
    @FunctionalInterface
    private interface Level {
        void write(String format, @Nullable Object[] arguments);
    }

    /** As the method of the logger. If the last argument is a failure, it is printed with its stack. */
    public void debug(String format, @Nullable Object... arguments) {
        write((line, values) -> logger.debug(line, values), format, arguments);
    }

    /** As {@link #debug}. */
    public void info(String format, @Nullable Object... arguments) {
        write((line, values) -> logger.info(line, values), format, arguments);
    }

    /** As {@link #debug}. */
    public void warn(String format, @Nullable Object... arguments) {
        write((line, values) -> logger.warn(line, values), format, arguments);
    }

    /** As {@link #debug}. */
    public void error(String format, @Nullable Object... arguments) {
        write((line, values) -> logger.error(line, values), format, arguments);
    }

    /** Writes a failure that can repeat with each call during an outage, by {@link OutageLog#warn}. */
    public void outage(OutageLog outages, @Nullable Throwable failure, String format, Object... arguments) {
        outages.warn(name, failure, format, arguments);
    }

    private static void write(Level level, String format, @Nullable Object[] arguments) {
        try {
            level.write(format, arguments);
        } catch (Throwable broken) {
            withoutStack(level, format, arguments);
        }
    }

    private static void withoutStack(Level level, String format, @Nullable Object[] arguments) {
        int last = arguments.length - 1;
        if (last < 0 || !(arguments[last] instanceof Throwable failure)) {
            return;
        }
        try {
            @Nullable Object[] plain = arguments.clone();
            plain[last] = FailureText.of(failure);
            level.write(format + ": {}", plain);
        } catch (Throwable broken) {
            // A log line that cannot be written must not keep the engine from its work.
        }
    }
}
