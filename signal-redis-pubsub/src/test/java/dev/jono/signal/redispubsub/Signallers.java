package dev.jono.signal.redispubsub;

import dev.jono.spi.Signaller;
import dev.jono.testkit.PluginConfigs;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Opens signallers. */
final class Signallers {
    private Signallers() {}

    static Signaller open(String uri, String namespace) {
        return new RedisPubSubSignallerProvider()
                .open(PluginConfigs.builder("redis-pubsub:" + uri)
                        .namespace(namespace)
                        .build());
    }

    static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(holds::getAsBoolean);
    }
}
