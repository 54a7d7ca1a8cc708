package dev.jono.testkit;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import java.util.ServiceLoader;

class LocalSignallerContractTest extends SignallerContract {
    @Override
    protected Signaller open(String namespace) {
        return ServiceLoader.load(SignallerProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.type().equals("local"))
                .findFirst()
                .orElseThrow()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse("local:contract"))
                        .namespace(namespace)
                        .executor(Runnable::run)
                        .build());
    }
}
