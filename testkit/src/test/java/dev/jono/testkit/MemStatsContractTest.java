package dev.jono.testkit;

import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import java.util.ServiceLoader;

class MemStatsContractTest extends StatsContract {
    @Override
    protected StatsStore open(String namespace) {
        return ServiceLoader.load(StatsProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.type().equals("mem"))
                .findFirst()
                .orElseThrow()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse("mem:contract"))
                        .namespace(namespace)
                        .executor(Runnable::run)
                        .build());
    }
}
