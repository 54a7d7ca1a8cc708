package dev.jono.spring;

import dev.jono.Storage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the application that Jono can use, so that the application needs no second one for its queues. Used if {@code
 * jono.url} is not set.
 */
public interface SharedStorage {
    /** The name of the storage in messages, such as {@code Redis}. */
    String name();

    /** The types of the backends that can use it, the default first. */
    List<String> backends();

    /**
     * Why Jono cannot use it, such as {@code the DataSource of the application is of SQLite}; null if it can. Called only if a
     * backend on the class path would use it. Can open a connection.
     *
     * @throws dev.jono.StorageException if the connection fails, so that this is not known
     */
    default @Nullable String refusal() {
        return null;
    }

    /** The connection, as an object for {@code QueueFactoryBuilder.storage}. Called once at most. */
    Storage storage();
}
