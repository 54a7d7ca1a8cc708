package dev.jono.jobs.internal;

import dev.jono.JonoException;

/** Thrown by a handler to end its job as failed. */
final class GiveUpException extends JonoException {
    private static final long serialVersionUID = 1L;

    GiveUpException(String reason) {
        super(reason, null, null, null);
    }
}
