package dev.jono.spring;

import dev.jono.QueueFactoryBuilder;

/** A bean of this type changes the builder of the application's {@link dev.jono.QueueFactory}, after the properties were applied. */
@FunctionalInterface
public interface QueueFactoryBuilderCustomizer {
    /** Changes the builder. */
    void customize(QueueFactoryBuilder builder);
}
