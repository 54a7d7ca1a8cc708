package dev.jono.testkit;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Configurations of plugins that a test opens without the engine. */
public final class PluginConfigs {
    private static final ExecutorService DRIVERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "testkit-driver");
        thread.setDaemon(true);
        return thread;
    });

    private PluginConfigs() {}

    /** A configuration with this URL. Calls of the driver run on daemon threads. */
    public static PluginConfig.Builder builder(String url) {
        return PluginConfig.builder().url(ConnectionUrl.parse(url)).executor(DRIVERS);
    }
}
