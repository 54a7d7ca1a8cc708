package dev.jono.internal;

import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.internal.concurrent.SystemClock;
import dev.jono.internal.concurrent.Threads;
import java.util.concurrent.ExecutorService;

/** Opens factories. Called by {@code dev.jono} on the threads of users. Stateless. */
public final class Engine {
    private Engine() {}

    /** Connects, and opens a factory. */
    public static QueueFactory open(FactoryConfig config) {
        return open(config, Threads.forDrivers());
    }

    /**
     * As {@link #open(FactoryConfig)}.
     *
     * @param threads for calls of the storage that block; shut down when the factory closes
     */
    public static QueueFactory open(FactoryConfig config, ExecutorService threads) {
        FactoryImpl factory = new FactoryImpl(new Connections(config, threads), config);
        try {
            factory.check(config);
        } catch (RuntimeException | Error failure) {
            factory.close();
            throw failure;
        }
        return factory;
    }

    /** The host's clock. */
    public static JonoClock systemClock() {
        return SystemClock.SHARED;
    }
}
