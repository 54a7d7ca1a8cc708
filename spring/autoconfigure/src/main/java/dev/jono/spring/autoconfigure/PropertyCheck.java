package dev.jono.spring.autoconfigure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Gives values of properties to Jono. A value that Jono refuses fails the start with the name of its property. */
final class PropertyCheck {
    private PropertyCheck() {}

    /**
     * Gives a value to a setter; not if it is null, which is not set.
     *
     * @param property the full name of the property
     * @throws InvalidConfigurationPropertyValueException if the setter throws an IllegalArgumentException
     */
    static <T> void apply(String property, @Nullable T value, Consumer<? super T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException refused) {
            throw new InvalidConfigurationPropertyValueException(property, value, String.valueOf(refused.getMessage()));
        }
    }

    /** The prefix of the properties of a queue, without the last dot. */
    static String prefix(String queue) {
        return queue.matches("[A-Za-z0-9-]+") ? "jono.queues." + queue : "jono.queues[" + queue + "]";
    }
}
