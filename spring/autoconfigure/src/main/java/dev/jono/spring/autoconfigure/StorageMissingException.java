package dev.jono.spring.autoconfigure;

import dev.jono.JonoException;

/** The application does not say which storage its queues are in. */
final class StorageMissingException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * An exception.
     *
     * @param problem what is missing
     * @param action what to do
     */
    StorageMissingException(String problem, String action) {
        super(problem + "; " + action, null, null, null);
        this.action = action;
    }

    String action() {
        return action;
    }
}
