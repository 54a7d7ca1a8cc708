package dev.jono.cli;

import dev.jono.JonoException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Describes a failure in one line. */
final class ErrorLine {
    private ErrorLine() {}

    /** The failure without the wrappers of futures. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static String of(Throwable failure) {
        Throwable cause = unwrapped(failure);
        String message = cause.getMessage();
        if (message == null || message.isBlank()) {
            message = cause.getClass().getSimpleName();
        } else if (cause instanceof NoSuchFileException) {
            message = "no such file: " + message;
        } else if (!isPlain(cause)) {
            message = cause.getClass().getSimpleName() + ": " + message;
        }
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** A number of messages as text. */
    static String messages(long number) {
        return number + (number == 1 ? " message" : " messages");
    }

    private static boolean isPlain(Throwable failure) {
        return failure instanceof JonoException
                || failure instanceof IllegalArgumentException
                || failure.getClass().equals(IOException.class)
                || failure instanceof picocli.CommandLine.PicocliException;
    }
}
