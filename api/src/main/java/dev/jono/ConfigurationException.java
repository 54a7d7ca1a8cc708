package dev.jono;

import org.jspecify.annotations.Nullable;

/** A URL, an option or a combination of them that cannot work; the message names what would. */
public final class ConfigurationException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** What is wrong, and what would be right. */
    public ConfigurationException(String message) {
        this(message, null);
    }

    /** What is wrong, what would be right, and the cause. */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super(message, null, null, cause);
    }
}
