package dev.jono;

import org.jspecify.annotations.Nullable;

/** A URL, an option or a combination of options is not valid. The message says what is expected. */
public final class ConfigurationException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String option;

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
        this.option = null;
    }

    /**
     * An exception about an option of a factory or of a queue.
     *
     * @param option the name of the option, as its setter has it, such as {@code signaller}
     * @param queue the queue that has the option; {@code *} for the defaults of all queues; null for an option of the factory
     * @param cause says what is wrong, and what is expected
     */
    public ConfigurationException(String option, @Nullable String queue, RuntimeException cause) {
        super(
                (queue == null ? "" : "option " + option + " of queue '" + queue + "': ") + cause.getMessage(),
                queue,
                null,
                cause);
        this.option = option;
    }

    /**
     * The name of the wrong option of the factory or of {@link #queue}, such as {@code signaller}; null if it is not one option. The URL of a
     * factory is {@code url}, and the name in {@link QueueFactoryBuilder#queueOptions} is {@code name}.
     */
    public @Nullable String option() {
        return option;
    }
}
