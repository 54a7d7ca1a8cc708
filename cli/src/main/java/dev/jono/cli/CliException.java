package dev.jono.cli;

import dev.jono.JonoException;
import org.jspecify.annotations.Nullable;

/** A command cannot do what was asked: one line for the user, and the exit code. */
final class CliException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CliException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, null, null, cause);
        this.exitCode = exitCode;
    }

    /** It went wrong. */
    static CliException error(String message) {
        return new CliException(message, Exit.ERROR, null);
    }

    /** It went wrong, and why. */
    static CliException error(String message, Throwable cause) {
        return new CliException(message, Exit.ERROR, cause);
    }

    /** The command line makes no sense. */
    static CliException usage(String message) {
        return new CliException(message, Exit.USAGE, null);
    }

    int exitCode() {
        return exitCode;
    }
}
