package dev.jono.spi;

/** Makes stats stores of one type; found as {@link BackendProvider} is. */
public interface StatsProvider {
    /** The name in front of the first colon of a URL. Unique among stats on the class path. */
    String type();

    /** Whether other processes see the counters and the paused flag. */
    boolean shared();

    /**
     * Connects, or uses {@link PluginConfig#storage()} where that is given.
     *
     * @throws dev.jono.ConfigurationException if the location or an option is wrong
     * @throws dev.jono.StorageException if the storage cannot be reached or used
     */
    StatsStore open(PluginConfig config);
}
