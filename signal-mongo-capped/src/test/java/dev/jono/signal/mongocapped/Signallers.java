package dev.jono.signal.mongocapped;

import dev.jono.Storage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.testkit.PluginConfigs;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Opens signallers. */
final class Signallers {
    private Signallers() {}

    static Signaller open(String uri, String namespace) {
        return open(config(uri, namespace));
    }

    /** A signaller with a client of the application. */
    static Signaller open(Storage storage, String namespace) {
        return open(config("", namespace).storage(storage));
    }

    private static PluginConfig.Builder config(String uri, String namespace) {
        return PluginConfigs.builder("mongo-capped:" + uri).namespace(namespace);
    }

    private static Signaller open(PluginConfig.Builder config) {
        return new MongoCappedSignallerProvider().open(config.build());
    }

    static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(holds::getAsBoolean);
    }
}
