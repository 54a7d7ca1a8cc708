package dev.jono.internal.runtime;

import dev.jono.spi.QueueStore;
import java.time.Duration;

/**
 * What the parts of one queue need to call its storage. Immutable.
 *
 * @param context shared by all queues of the factory
 * @param name the name of the queue
 * @param store the queue in the storage
 * @param timeout the time limit of one call, for all its attempts together
 */
public record QueueScope(EngineContext context, String name, QueueStore store, Duration timeout) {}
