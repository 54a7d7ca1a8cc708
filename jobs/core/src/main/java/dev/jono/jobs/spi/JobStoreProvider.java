package dev.jono.jobs.spi;

import dev.jono.spi.PluginConfig;
import java.util.Set;

/** Opens job stores. Found by {@link java.util.ServiceLoader}. */
public interface JobStoreProvider {
    /** The names of the backends that this provider supports, such as {@code redis-oq}. */
    Set<String> backends();

    /**
     * Opens the store in the storage of a backend.
     *
     * @param config the URL of the backend; {@link PluginConfig#storage()} is its connection, which the store shares
     */
    JobStore open(PluginConfig config);
}
