package dev.jono;

import org.jspecify.annotations.Nullable;

/** A URL, an option or a combination of options is not valid. The message says what is expected. */
public final class ConfigurationException extends JonoException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message what is wrong, and what is expected
     */
    public ConfigurationException(String message) {
        this(message, null);
    }

    /**
     * An exception.
     *
     * @param message what is wrong, and what is expected
     * @param cause the cause; null if there is none
     */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super(message, null, null, cause);
    }
}
