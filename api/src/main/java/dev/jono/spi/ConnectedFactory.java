package dev.jono.spi;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EditOutcome;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A factory, for modules that build on Jono, such as jobs. They share the connection of its backend and are closed with it. Each
 * {@link QueueFactory} of Jono implements it.
 */
public interface ConnectedFactory extends QueueFactory {
    /**
     * The configuration of a plugin that keeps its data in the storage of the backend. The URL has only the type of the backend. {@link
     * PluginConfig#storage()} is the connection of the backend.
     */
    PluginConfig companionConfig();

    /**
     * Threads for steps that wait for calls of the factory or of its plugins, or that call code of the application. Not bounded: the
     * calls complete on {@link PluginConfig#executor()}, whose threads may be few, so a step must not wait on one of them. The factory
     * shuts them down when it is closed.
     */
    Executor stepExecutor();

    /** The capabilities of the backend. */
    Set<Capability> capabilities();

    /** The class loaders that the factory searched for plugins. The first has precedence. */
    List<ClassLoader> pluginLoaders();

    /**
     * The codec that the factory uses for a Java type.
     *
     * @param <T> the Java type; the caller must make sure that it matches {@code type}
     */
    <T> Codec<T> codec(Type type);

    @Override
    ConnectedWorkerBuilder worker();

    /** Lets the consumers of a queue look for due messages again, in all processes. For queues with a {@link ClaimGate} that has opened. */
    void wakeConsumers(MessageQueue<?> queue);

    /**
     * Moves a message as {@link MessageQueue#moveIdle} does, but the message keeps its tries, its due time and all its headers.
     *
     * @throws dev.jono.UnsupportedCapabilityException as {@link MessageQueue#moveIdle}
     */
    EditOutcome moveIdleUnchanged(MessageQueue<?> queue, String id, String toQueue);

    /** The default timeout of storage calls. A queue can have its own. */
    Duration operationTimeout();

    /**
     * The one companion of this type that the factory has; made at the first call. It is closed when the factory is closed, before the
     * workers of the factory stop and before the backend disconnects.
     *
     * @param type the key
     * @param maker makes the companion; called with a lock held
     * @throws dev.jono.QueueClosedException if the factory is closed
     */
    <T extends AutoCloseable> T companion(Class<T> type, Supplier<T> maker);
}
