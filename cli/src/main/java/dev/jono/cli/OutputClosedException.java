package dev.jono.cli;

import java.io.IOException;

/** Nobody reads the data any more: a closed pipe, as behind {@code | head -1}, or a full disk. */
final class OutputClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    OutputClosedException(IOException cause) {
        super("standard output cannot be written: " + cause.getMessage(), cause);
    }
}
