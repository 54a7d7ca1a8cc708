package dev.jono.spring;

import dev.jono.Storage;
import java.util.List;

/**
 * A connection of the application that Jono can use, so that the application needs no second one for its queues. Used if {@code
 * jono.url} is not set.
 */
public interface SharedStorage {
    /** The name of the storage in messages, such as {@code Redis}. */
    String name();

    /** The types of the backends that can use it, the default first. */
    List<String> backends();

    /** The connection, as an object for {@code QueueFactoryBuilder.storage}. Called once at most. */
    Storage storage();
}
