package dev.jono.internal;

import dev.jono.QueueFactory;

/** The door into the engine. */
public final class Engine {
    private Engine() {}

    /** Connects, and opens a factory. */
    public static QueueFactory open(FactoryConfig config) {
        return new FactoryImpl(new Connections(config), config.queueDefaults());
    }
}
