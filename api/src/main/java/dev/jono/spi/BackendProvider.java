package dev.jono.spi;

import dev.jono.Capability;
import java.util.Optional;
import java.util.Set;

/**
 * Opens backends of one type. {@link java.util.ServiceLoader} finds it: it is a public class with a public no-argument
 * constructor, named both in {@code META-INF/services/dev.jono.spi.BackendProvider} and in the {@code provides} clause of
 * its module.
 */
public interface BackendProvider {
    /**
     * The type: what stands before the first colon of a URL. It has lower-case letters, digits and {@code -}, and is
     * unique on the class path.
     */
    String type();

    /** The most that a backend of this type can do; an opened one may be able to do less. */
    Set<Capability> capabilities();

    /**
     * The type of the signaller that belongs to this storage; empty if there is none. Used unless the application chooses
     * another.
     */
    default Optional<String> defaultSignaller() {
        return Optional.empty();
    }

    /**
     * The type of the stats that belong to this storage; empty if there are none. Used unless the application chooses
     * others.
     */
    default Optional<String> defaultStats() {
        return Optional.empty();
    }

    /**
     * Connects to the storage. May block.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is not valid
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    Backend open(PluginConfig config);
}
