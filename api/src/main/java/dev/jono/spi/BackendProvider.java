package dev.jono.spi;

import dev.jono.Capability;
import java.util.Optional;
import java.util.Set;

/**
 * Makes backends of one type. Found with {@link java.util.ServiceLoader}: a public class with a public no-argument
 * constructor, named both in {@code META-INF/services/dev.jono.spi.BackendProvider} and in the {@code provides}
 * of the module.
 */
public interface BackendProvider {
    /** The name in front of the first colon of a URL: lower case, digits, {@code -}. Unique on the class path. */
    String type();

    /** The most that this backend can do; an opened one may do less. */
    Set<Capability> capabilities();

    /** The type of the signaller that fits this storage, if one does. Used unless the user chooses another. */
    default Optional<String> defaultSignaller() {
        return Optional.empty();
    }

    /** The type of the stats that fit this storage, if some do. Used unless the user chooses others. */
    default Optional<String> defaultStats() {
        return Optional.empty();
    }

    /**
     * Connects.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is wrong
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    Backend open(PluginConfig config);
}
