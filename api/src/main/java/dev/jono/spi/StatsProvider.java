package dev.jono.spi;

/** Opens stats stores of one type. Found as {@link BackendProvider} is. */
public interface StatsProvider {
    /** The type: what stands before the first colon of a URL. Unique among the stats on the class path. */
    String type();

    /** Whether other processes see the counters and the paused flag. */
    boolean shared();

    /**
     * Connects to the storage, or uses {@link PluginConfig#storage()} if that is given. May block.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is not valid
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    StatsStore open(PluginConfig config);
}
