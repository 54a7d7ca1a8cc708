package dev.jono.cli;

import dev.jono.JonoException;
import org.jspecify.annotations.Nullable;

/** A failed command: one line for the user, and the exit code. */
final class CliException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CliException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, null, null, cause);
        this.exitCode = exitCode;
    }

    /** The command failed. */
    static CliException error(String message) {
        return new CliException(message, Exit.ERROR, null);
    }

    /** The command failed for this cause. */
    static CliException error(String message, Throwable cause) {
        return new CliException(message, Exit.ERROR, cause);
    }

    /** The command line is wrong. */
    static CliException usage(String message) {
        return new CliException(message, Exit.USAGE, null);
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // its class says nothing to readers of logs and records
    public String toString() {
        return String.valueOf(getMessage());
    }

    int exitCode() {
        return exitCode;
    }
}
