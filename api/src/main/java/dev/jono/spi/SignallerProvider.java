package dev.jono.spi;

/** Makes signallers of one type; found as {@link BackendProvider} is. */
public interface SignallerProvider {
    /** The name in front of the first colon of a URL. Unique among signallers on the class path. */
    String type();

    /** Whether its signals reach other processes. */
    boolean shared();

    /**
     * Connects, or uses {@link PluginConfig#storage()} where that is given.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is wrong
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    Signaller open(PluginConfig config);
}
