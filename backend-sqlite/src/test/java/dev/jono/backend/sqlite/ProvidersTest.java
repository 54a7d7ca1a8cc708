package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ProvidersTest {
    @Test
    void allThreeAreFoundByName() {
        assertThat(ServiceLoader.load(BackendProvider.class)).anySatisfy(provider -> {
            assertThat(provider.type()).isEqualTo("sqlite");
            assertThat(provider.defaultSignaller()).contains("sqlite");
            assertThat(provider.defaultStats()).contains("sqlite");
            assertThat(provider.capabilities()).contains(Capability.ATOMIC_MOVE, Capability.SHARED, Capability.DURABLE);
        });
        assertThat(ServiceLoader.load(SignallerProvider.class)).anySatisfy(provider -> {
            assertThat(provider.type()).isEqualTo("sqlite");
            assertThat(provider.shared()).isTrue();
        });
        assertThat(ServiceLoader.load(StatsProvider.class)).anySatisfy(provider -> {
            assertThat(provider.type()).isEqualTo("sqlite");
            assertThat(provider.shared()).isTrue();
        });
    }
}
