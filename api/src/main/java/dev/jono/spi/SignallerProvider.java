package dev.jono.spi;

/** Opens signallers of one type. Found as {@link BackendProvider} is. */
public interface SignallerProvider {
    /** The type: what stands before the first colon of a URL. Unique among the signallers on the class path. */
    String type();

    /** Whether its signals reach other processes. */
    boolean shared();

    /**
     * Connects to the storage, or uses {@link PluginConfig#storage()} if that is given. May block.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is not valid
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    Signaller open(PluginConfig config);
}
