package dev.jono.memory;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import java.util.Set;

/**
 * The provider of the signaller {@code local}: signals within this JVM. {@code local:} reaches all factories on the same
 * {@code memory} storage; with another backend it reaches only its own factory. {@code local:NAME} reaches all signallers
 * of the JVM with that name. Namespaces are separate. Listeners are called on the publisher's thread. No options.
 */
public final class LocalSignallerProvider implements SignallerProvider {
    static final String TYPE = "local";

    private static final SharedByName<SignalBus> BUSES = new SharedByName<>();

    /** For the service loader. */
    public LocalSignallerProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public Signaller open(PluginConfig config) {
        String name = UrlNames.of(config.url(), Set.of());
        if (!name.isEmpty()) {
            SignalBus named = BUSES.acquire(name, SignalBus::new);
            return new LocalSignaller(named, config.namespace(), () -> BUSES.release(name));
        }
        SignalBus bus = config.storage() instanceof MemoryStorage memory ? memory.signals : new SignalBus();
        return new LocalSignaller(bus, config.namespace(), () -> {});
    }
}
